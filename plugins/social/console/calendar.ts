// The calendar of a month or a week: scheduled and published posts at their time, holds, planned emails and broadcasts at their planned time. Days
// are UTC, like all times of the API.
import type { Services, WorkspaceHandle } from '../../../core/index.ts';
import { choiceLinks, counted, type Html, html, shortened } from '../../../core/unstable.ts';
import type { BroadcastsService } from '../../broadcasts/index.ts';
import type { CampaignsService } from '../../campaigns/index.ts';
import { type PlannedPost, postsBetween } from '../post/planned-posts.ts';
import { targetsOf } from '../present.ts';
import type { SocialPostRow, TargetRow } from '../tables.ts';
import { linkTo, type SocialConsoleContext } from './console-context.ts';

const day = 86_400_000;
/** The maximum number of posts of one view, and the maximum number of emails. */
const max = 500;

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const monthName = (at: number): string =>
  new Date(at).toLocaleDateString('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** The shown part of the calendar: whole weeks from Monday. */
export interface CalendarSpan {
  readonly kind: 'month' | 'week';
  /** The first day of the month or week. The shown days begin at `first`, which may be earlier. */
  readonly from: number;
  readonly until: number;
  readonly first: number;
  readonly days: number;
  readonly title: string;
  readonly before: string;
  readonly after: string;
}

const isoDay = (at: number): string => new Date(at).toISOString().slice(0, 10);
const midnight = (at: number): number => Math.floor(at / day) * day;
/** Days since Monday. */
const weekday = (at: number): number => (new Date(at).getUTCDay() + 6) % 7;
const monthOf = (at: number, offset = 0): number => {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset, 1);
};

/** The month or week that contains a time. */
export function spanOf(kind: CalendarSpan['kind'], at: number): CalendarSpan {
  if (kind === 'week') {
    const from = midnight(at) - weekday(midnight(at)) * day;
    const title = `Week from ${isoDay(from)}`;
    return {
      kind,
      from,
      until: from + 7 * day,
      first: from,
      days: 7,
      title,
      before: isoDay(from - 7 * day),
      after: isoDay(from + 7 * day),
    };
  }
  const [from, until] = [monthOf(at), monthOf(at, 1)];
  const first = from - weekday(from) * day;
  const days = Math.ceil((until - first) / day / 7) * 7;
  const title = monthName(from);
  return { kind, from, until, first, days, title, before: isoDay(monthOf(at, -1)), after: isoDay(until) };
}

const statusLabels: Partial<Record<SocialPostRow['status'], string>> = {
  partially_published: 'partly published',
  pending_approval: 'waits for approval',
};

const statusOf = (row: SocialPostRow): string =>
  row.planning_kind === 'hold' ? 'hold' : (statusLabels[row.status] ?? row.status);

/** A post or an email in the calendar. */
interface Entry {
  readonly at: number;
  readonly html: Html;
}

const startOf = (text: string): string => shortened(text, 80);

const clock = (at: number): Html => {
  const iso = new Date(at).toISOString();
  return html`<time datetime="${iso}">${iso.slice(11, 16)}</time>`;
};

function postEntry(where: SocialConsoleContext, { post: row, at }: PlannedPost, targets: readonly TargetRow[]): Entry {
  const text = row.content.caption || row.brief || 'No text yet';
  const channels = targets.map(({ channel_id: channelId }) => channelId).join(', ') || row.content.channels.join(', ');
  const classes = `entry ${row.planning_kind} ${row.status}`;
  const link = linkTo(where, { view: 'cards', post: row.id });
  return {
    at,
    html: html`<li><a class="${classes}" href="${link}">${clock(at)} <b>${channels}</b> ${startOf(text)} <span class="hush">${statusOf(row)}</span></a></li>`,
  };
}

const emailEntry = (at: number, name: string, status: string): Entry => ({
  at,
  html: html`<li><span class="entry hold">${clock(at)} <b>email</b> ${startOf(name)} <span class="hush">${status}</span></span></li>`,
});

/**
 * The planned emails, which both sides of a workspace share, and the broadcasts of the side. Nothing of a plugin that is not composed.
 */
async function emailEntries(
  services: Services,
  handle: WorkspaceHandle,
  { first, days }: CalendarSpan,
): Promise<Entry[]> {
  const span = { from: first, until: first + days * day, limit: max };
  const campaigns: CampaignsService | undefined = services.campaigns;
  const broadcasts: BroadcastsService | undefined = services.broadcasts;
  const planned = (await campaigns?.plannedBetween(handle, span, { withBroadcast: broadcasts === undefined })) ?? [];
  const sent = (await broadcasts?.plannedBetween(handle, span)) ?? [];
  return [
    ...planned.map(({ schedule_at: at, name }) => emailEntry(at, name, 'planned')),
    ...sent.map(({ at, name, status }) => emailEntry(at, name, status)),
  ];
}

export async function calendarView(
  where: SocialConsoleContext,
  span: CalendarSpan,
  { now, services, handle }: { readonly now: number; readonly services: Services; readonly handle: WorkspaceHandle },
): Promise<Html> {
  const until = span.first + span.days * day;
  const placed = await postsBetween(handle, { from: span.first, until, limit: max });
  const targets = await targetsOf(
    handle,
    placed.map(({ post }) => post),
  );
  const emails = await emailEntries(services, handle, span);
  const posts = placed.map((one) => postEntry(where, one, targets.get(one.post.id) ?? []));
  const entries = [...posts, ...emails].sort((a, b) => a.at - b.at);
  const cells = Array.from({ length: span.days }, (_, index) => {
    const at = span.first + index * day;
    const entriesOfDay = entries.filter((entry) => midnight(entry.at) === at);
    const classes = [
      at < span.from || at >= span.until ? 'out' : '',
      entriesOfDay.length === 0 ? 'none' : '',
      midnight(now) === at ? 'now' : '',
    ].join(' ');
    const list = entriesOfDay.length === 0 ? null : html`<ul>${entriesOfDay.map((entry) => entry.html)}</ul>`;
    return html`<li class="${classes}"><time class="day" datetime="${isoDay(at)}"><span class="wd">${weekdays[index % 7] ?? ''}, </span>${new Date(at).getUTCDate()}<span class="wd"> ${monthName(at)}</span></time>${list}</li>`;
  });
  const planned = [
    ...(posts.length === 0 ? [] : [counted(posts.length, 'post')]),
    ...(emails.length === 0 ? [] : [counted(emails.length, 'email')]),
  ];
  const link = (kind: CalendarSpan['kind'], at: string): string => linkTo(where, { view: kind, at });
  const here = isoDay(Math.min(Math.max(now, span.from), span.until - day));
  const parts = (['month', 'week'] as const).map((kind) => ({
    text: kind === 'month' ? 'Month' : 'Week',
    href: link(kind, here),
    isPresent: kind === span.kind,
  }));
  return html`<div class="head"><h1>${span.title}</h1><nav class="segments" aria-label="Time"><a rel="prev" href="${link(span.kind, span.before)}">Earlier</a><a href="${link(span.kind, isoDay(now))}">Today</a><a rel="next" href="${link(span.kind, span.after)}">Later</a></nav>${choiceLinks('Parts of the calendar', parts)}</div>
<p class="hush">${planned.length === 0 ? 'Nothing is planned here.' : `${planned.join(', ')}. Times are UTC.`}</p>
<ul class="heads" aria-hidden="true">${weekdays.map((name) => html`<li>${name.slice(0, 3)}</li>`)}</ul>
<ol class="days">${cells}</ol>`;
}

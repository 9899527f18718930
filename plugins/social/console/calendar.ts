// The calendar of a month or a week: scheduled and published posts at their time, holds and planned emails at their planned time. Days
// are UTC, like all times of the API.
import type { Services, WorkspaceHandle } from '../../../core/index.ts';
import { choiceLinks, counted, type Html, html, shortened } from '../../../core/unstable.ts';
import type { CampaignsService } from '../../campaigns/index.ts';
import { type PlacedPost, postsBetween } from '../post/planned.ts';
import { targetsOf } from '../present.ts';
import type { PostRow, TargetRow } from '../tables.ts';
import { linkTo, type Where } from './where.ts';

const day = 86_400_000;
/** The most posts of one view, and the most emails. */
const max = 500;

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const monthName = (at: number): string =>
  new Date(at).toLocaleDateString('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** The shown part of the calendar: whole weeks from Monday. */
export interface Span {
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
export function spanOf(kind: Span['kind'], at: number): Span {
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

const words: Partial<Record<PostRow['status'], string>> = {
  partially_published: 'partly published',
  pending_approval: 'waits for approval',
};

const statusOf = (row: PostRow): string => (row.planning_kind === 'hold' ? 'hold' : (words[row.status] ?? row.status));

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

function postEntry(where: Where, { post: row, at }: PlacedPost, targets: readonly TargetRow[]): Entry {
  const text = row.content.caption || row.brief || 'No text yet';
  const channels = targets.map(({ channel_id: channelId }) => channelId).join(', ') || row.content.channels.join(', ');
  const classes = `entry ${row.planning_kind} ${row.status}`;
  const link = linkTo(where, { view: 'cards', post: row.id });
  return {
    at,
    html: html`<li><a class="${classes}" href="${link}">${clock(at)} <b>${channels}</b> ${startOf(text)} <span class="hush">${statusOf(row)}</span></a></li>`,
  };
}

/** The planned emails, which both sides of a workspace share; none if the campaigns plugin is not composed. */
async function emailEntries(services: Services, handle: WorkspaceHandle, { first, days }: Span): Promise<Entry[]> {
  const campaigns: CampaignsService | undefined = services.campaigns;
  const rows = (await campaigns?.plannedBetween(handle, { from: first, until: first + days * day, limit: max })) ?? [];
  return rows.map(({ schedule_at: at, name }) => ({
    at,
    html: html`<li><span class="entry hold">${clock(at)} <b>email</b> ${startOf(name)} <span class="hush">planned</span></span></li>`,
  }));
}

export async function calendarView(
  where: Where,
  span: Span,
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
  const entries = [...posts, ...emails].sort((one, other) => one.at - other.at);
  const cells = Array.from({ length: span.days }, (_, index) => {
    const at = span.first + index * day;
    const own = entries.filter((entry) => midnight(entry.at) === at);
    const classes = [
      at < span.from || at >= span.until ? 'out' : '',
      own.length === 0 ? 'none' : '',
      midnight(now) === at ? 'now' : '',
    ].join(' ');
    const list = own.length === 0 ? null : html`<ul>${own.map((entry) => entry.html)}</ul>`;
    return html`<li class="${classes}"><time class="day" datetime="${isoDay(at)}"><span class="wd">${weekdays[index % 7] ?? ''}, </span>${new Date(at).getUTCDate()}<span class="wd"> ${monthName(at)}</span></time>${list}</li>`;
  });
  const planned = [
    ...(posts.length === 0 ? [] : [counted(posts.length, 'post')]),
    ...(emails.length === 0 ? [] : [counted(emails.length, 'planned email')]),
  ];
  const link = (kind: Span['kind'], at: string): string => linkTo(where, { view: kind, at });
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

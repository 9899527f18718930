// The calendar of the console: the entries of the content plan in a month or a week.
import type { ConsoleContext, ConsoleView } from '../../../core/index.ts';
import { counted, emptyNotice, type Html, html, shortened, tabBar } from '../../../core/unstable.ts';
import { type CalendarSpan, dayIn, dayMs, isoDay, midnight, monthName, spanOf } from './calendar-span.ts';
import { viewLinks } from './parts.ts';

const path = 'social';
const pageSize = 100;
/** The maximum number of entries of one view. */
const maxEntries = 500;

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

type PlanEntry = Awaited<ReturnType<ConsoleContext['calls']['contentPlan']['list']>>['data'][number];

/** The entries of the visible days, earliest first. */
async function entriesIn({ calls }: ConsoleContext, { first, days }: CalendarSpan): Promise<readonly PlanEntry[]> {
  const [from, to] = [first, first + days * dayMs].map((at) => new Date(at).toISOString());
  const foundEntries: PlanEntry[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await calls.contentPlan.list({ from, to, limit: pageSize, ...(cursor ? { cursor } : {}) });
    foundEntries.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== null && foundEntries.length < maxEntries);
  return foundEntries;
}

const kindWords: Readonly<Record<PlanEntry['kind'], string>> = {
  post: 'post',
  hold: 'hold',
  planned_email: 'planned email',
  broadcast: 'broadcast',
  blog_post: 'blog post',
  page: 'page',
};

/** The URL of an entry's page; undefined if it has no page or the person may not see it. */
function hrefOf(ctx: ConsoleContext, { kind, id }: PlanEntry): string | undefined {
  if ((kind === 'post' || kind === 'hold') && ctx.mayCall('social.post_read')) return ctx.link(`social/posts/${id}`);
  return kind === 'broadcast' && ctx.mayCall('broadcasts.read') ? ctx.link(`broadcasts/${id}`) : undefined;
}

/** The kind of the entry, unless it is a post, and its state, unless the kind implies the state. */
function wordsOf({ kind, status }: PlanEntry): string {
  const isPlan = (kind === 'hold' && status === 'draft') || (kind === 'planned_email' && status === 'planned');
  return [...(kind === 'post' ? [] : [kindWords[kind]]), ...(isPlan ? [] : [status.replaceAll('_', ' ')])].join(', ');
}

function entryItem(ctx: ConsoleContext, entry: PlanEntry): Html {
  const { kind, title, at, status, channels } = entry;
  // The time is plain text, because the console's script shows a time element in the viewer's time zone, and the days are in UTC.
  const href = hrefOf(ctx, entry);
  const text = html`<span>${at.slice(11, 16)}</span> <b>${channels.join(', ')}</b> <span dir="auto">${shortened(title, 80) || 'No text yet'}</span> <span class="quiet">${wordsOf(entry)}</span>`;
  const classes = `entry ${kind} ${status}`;
  return href === undefined
    ? html`<li><span class="${classes}">${text}</span></li>`
    : html`<li><a class="${classes}" href="${href}">${text}</a></li>`;
}

function dayCell(ctx: ConsoleContext, span: CalendarSpan, index: number, entries: readonly PlanEntry[]): Html {
  const at = span.first + index * dayMs;
  const entriesOfDay = entries.filter((entry) => midnight(Date.parse(entry.at)) === at);
  const classes = [
    ...(at < span.from || at >= span.until ? ['out'] : []),
    ...(entriesOfDay.length === 0 ? ['none'] : []),
    ...(midnight(ctx.now) === at ? ['now'] : []),
  ].join(' ');
  const list = entriesOfDay.length === 0 ? null : html`<ul>${entriesOfDay.map((entry) => entryItem(ctx, entry))}</ul>`;
  return html`<li class="${classes}"><span class="day"><span class="wd">${weekdays[index % 7] ?? ''}, </span>${new Date(at).getUTCDate()}<span class="wd"> ${monthName(at)}</span></span>${list}</li>`;
}

/** The number of entries of each kind, in words: `2 posts, 1 broadcast`. */
function summaryOf(entries: readonly PlanEntry[]): string {
  const counts = new Map<string, number>();
  for (const { kind } of entries) counts.set(kindWords[kind], (counts.get(kindWords[kind]) ?? 0) + 1);
  const countTexts = [...counts].map(([words, count]) => counted(count, words));
  return countTexts.length === 0 ? 'Nothing is planned here.' : `${countTexts.join(', ')}. Times are UTC.`;
}

export async function calendarPage(ctx: ConsoleContext): Promise<ConsoleView> {
  if (!ctx.mayCall('content_plan.list')) {
    const notice = emptyNotice('The calendar needs the content plan, and the scope campaigns:read.', {
      text: 'All posts',
      href: ctx.link('social/posts'),
    });
    return { heading: 'Social', body: html`${viewLinks(ctx, 'calendar')}${notice}` };
  }
  const kind = ctx.query['view'] === 'week' ? 'week' : 'month';
  const span = spanOf(kind, dayIn(ctx.query['at']) ?? ctx.now);
  const entries = await entriesIn(ctx, span);
  const linkTo = (view: CalendarSpan['kind'], at: string): string => ctx.link(path, { view, at });
  const visibleDay = isoDay(Math.min(Math.max(ctx.now, span.from), span.until - dayMs));
  const viewTabs = (['month', 'week'] as const).map((view) => ({
    text: view === 'month' ? 'Month' : 'Week',
    href: linkTo(view, visibleDay),
    isCurrent: view === kind,
  }));
  const cells = Array.from({ length: span.days }, (_, index) => dayCell(ctx, span, index, entries));
  const timeLinks = html`<nav class="tabs" aria-label="Time"><a rel="prev" href="${linkTo(kind, span.before)}">Earlier</a><a href="${linkTo(kind, isoDay(ctx.now))}">Today</a><a rel="next" href="${linkTo(kind, span.after)}">Later</a></nav>`;
  return {
    heading: span.title,
    meta: html`${summaryOf(entries)}${entries.length >= maxEntries ? ' More entries are left out.' : null}`,
    body: html`${viewLinks(ctx, 'calendar')}<div class="choices">${timeLinks}${tabBar('Parts of the calendar', viewTabs)}</div>
<div><ul class="heads" aria-hidden="true">${weekdays.map((name) => html`<li>${name.slice(0, 3)}</li>`)}</ul>
<ol class="days">${cells}</ol></div>`,
  };
}

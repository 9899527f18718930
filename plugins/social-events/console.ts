// The page of social events in the console: the status of each event, and its text for each network.
import type { ConsoleContext, ConsoleEntry, ConsoleView } from '../../core/index.ts';
import {
  clearFilters,
  conclusion,
  emptyNotice,
  filterForm,
  type Html,
  html,
  moment,
  type PillTone,
  pager,
  panel,
  pill,
} from '../../core/unstable.ts';
import { findEvent } from './kit/kit.ts';
import type { RunCaption, SocialEventRun, SocialEventRunStatus } from './schema.ts';

const path = 'social-events';
const pageSize = 25;

const states: Readonly<Record<SocialEventRunStatus, readonly [words: string, tone: PillTone]>> = {
  previewed: ['Preview', 'plain'],
  drafted: ['Draft', 'plain'],
  scheduled: ['Scheduled', 'wait'],
  pending_approval: ['Waits for approval', 'wait'],
  publishing: ['Publishing', 'wait'],
  published: ['Published', 'good'],
  partially_published: ['Partly published', 'bad'],
  failed: ['Failed', 'bad'],
  deleted: ['Deleted', 'plain'],
};

const isRunStatus = (text: string): text is SocialEventRunStatus => Object.hasOwn(states, text);

/** The text for one network, its length as the network counts it, and the problems that prevent its publication. */
function captionPart({ channelId, text, length, limit, problems }: RunCaption): Html {
  const size = `${length} of ${limit}${length > limit ? ': too long' : ''}`;
  const faults = problems.map(({ code, message }) => conclusion('bad', message, html`<code>${code}</code>`));
  return html`<section><h3>${channelId}</h3><p class="words" dir="auto">${text}</p><p class="quiet">${size}</p>${faults}</section>`;
}

function runPanel(ctx: ConsoleContext, { eventKey, status, postId, captions, createdAt }: SocialEventRun): Html {
  const post =
    postId === null
      ? 'No post: it was a preview.'
      : html`<a href="${ctx.link(`social/posts/${postId}`)}">The post on its networks</a>`;
  const head = html`<p>${pill(...states[status])} <span class="quiet">${eventKey}</span> ${moment(createdAt, ctx)}</p><p>${post}</p>`;
  return panel(findEvent(eventKey)?.name ?? eventKey, html`${head}${captions.map(captionPart)}`);
}

/** The newest events. */
async function eventList(ctx: ConsoleContext): Promise<ConsoleView> {
  const { status, cursor } = ctx.query;
  const { data, next_cursor: next } = await ctx.calls.socialEvents.runs({
    limit: pageSize,
    ...(status !== undefined && isRunStatus(status) ? { status } : {}),
    ...(cursor === undefined ? {} : { cursor }),
  });
  const options = Object.entries(states).map(([value, [words]]) => [value, words] as const);
  const filter = filterForm(ctx, path, [{ name: 'status', label: 'State', options }]);
  const empty =
    status === undefined
      ? emptyNotice(
          'A social event is something in your product that becomes a post, such as a release. Your product reports the first one through the API.',
        )
      : emptyNotice('No event is in this state.', clearFilters(ctx, path));
  const runs = html`<div class="runs">${data.map((run) => runPanel(ctx, run))}</div>`;
  return {
    heading: 'Social events',
    body: html`${filter}${data.length === 0 ? empty : runs}${pager(ctx, path, next)}`,
  };
}

export const consolePages: readonly ConsoleEntry[] = [
  {
    area: 'Content',
    path,
    title: 'Social events',
    scopes: ['social:posts:read'],
    render: eventList,
    style: `.runs{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(320px,100%),1fr));gap:16px;align-items:start}.words{white-space:pre-wrap;overflow-wrap:anywhere}h3{margin:0;font-size:14px;line-height:20px}`,
  },
];

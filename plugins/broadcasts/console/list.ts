// The list of broadcasts on their page: newest first, by status, with their counts.
import type { WorkspaceHandle } from '../../../core/index.ts';
import {
  type ConsoleLocation,
  choiceLinks,
  emptyState,
  type Html,
  html,
  linkWithin,
  tableOf,
} from '../../../core/unstable.ts';
import { type BroadcastStatus, broadcastStatus } from '../schema.ts';
import { countByStatus } from '../store.ts';
import type { BroadcastView, PageCalls } from './page-calls.ts';
import { firstMail, statusChip, statusWords } from './words.ts';

const maxShown = 50;

/** The status that the list shows, and its cursor. */
export interface BroadcastListQuery {
  readonly status: BroadcastStatus | undefined;
  readonly after: string | undefined;
}

/** Links to the broadcasts of each status, with their number. A status without a broadcast is left out. */
async function statusLinks(place: ConsoleLocation, handle: WorkspaceHandle, chosen: BroadcastStatus | undefined) {
  const counts = await countByStatus(handle);
  const all = { text: 'All', href: linkWithin(place), isPresent: chosen === undefined };
  const links = broadcastStatus.options
    .filter((status) => counts.has(status) || status === chosen)
    .map((status) => ({
      text: `${statusWords[status]} ${counts.get(status) ?? 0}`,
      href: linkWithin(place, { status }),
      isPresent: status === chosen,
    }));
  return choiceLinks('Status', [all, ...links]);
}

/** Links to the first and the next page of a list; null if there is one page only. `kept`: what the links keep. */
export function pageLinks(
  place: ConsoleLocation,
  kept: Readonly<Record<string, string>>,
  { after, next }: { readonly after: string | undefined; readonly next: string | null },
): Html | null {
  if (after === undefined && next === null) return null;
  return html`<nav class="pages" aria-label="Pages">${after === undefined ? null : html`<a class="button" href="${linkWithin(place, kept)}">First page</a>`}${next === null ? null : html`<a class="button" rel="next" href="${linkWithin(place, { ...kept, after: next })}">Next page</a>`}</nav>`;
}

/** @throws cursor_invalid */
export async function listView(
  place: ConsoleLocation,
  calls: PageCalls,
  handle: WorkspaceHandle,
  { status, after }: BroadcastListQuery,
): Promise<BroadcastView> {
  const kept = status === undefined ? {} : { status };
  const { data, next_cursor: next } = await calls.broadcasts.list({
    limit: maxShown,
    ...kept,
    ...(after === undefined ? {} : { cursor: after }),
  });
  const table = tableOf(
    'Broadcasts, the newest first',
    ['Name', 'Status', 'First mail', 'Recipients', 'Delivered', 'Opened', 'Clicked'],
    data.map((one) => [
      html`<a href="${linkWithin(place, { broadcast: one.broadcastId })}" dir="auto">${one.name}</a>`,
      html`${statusChip(one.status)}${one.approval === null ? null : html` <span class="hush">waits for a decision</span>`}`,
      firstMail(one),
      one.counts.recipients,
      one.counts.delivered,
      one.counts.opened,
      one.counts.clicked,
    ]),
  );
  const none =
    status === undefined
      ? 'This workspace has no broadcasts yet. A broadcast is one mail to the members of lists and the contacts of segments. Create one with POST /v1/broadcasts.'
      : 'No broadcast has this status.';
  const body = html`<h1>All broadcasts</h1>${await statusLinks(place, handle, status)}${data.length === 0 ? emptyState(none) : table}${pageLinks(place, kept, { after, next })}`;
  return { body };
}

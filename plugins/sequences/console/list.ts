// The list of sequences on their page, with search and pagination.
import { decodeCursor, toPage, type WorkspaceHandle } from '../../../core/index.ts';
import { type ConsoleLocation, emptyState, type Html, html, linkWithin, tableOf } from '../../../core/unstable.ts';
import { triggerWords } from '../graph/describe.ts';
import { likeNameOrKey } from '../store.ts';
import { type SequenceHead, sequenceHeads } from '../tables.ts';
import { totalsOf } from '../tallies.ts';
import { statusOf } from './states.ts';

const list = 'sequences-console';
const maxShown = 50;

/** The search text of the list, and its cursor. */
export interface ListQuery {
  /** Part of the name or the key. */
  readonly search: string;
  readonly after: string | undefined;
}

/** The search form, for the page's workspace and side. */
export function searchForm({ workspace, side }: ConsoleLocation, search: string): Html {
  return html`<form role="search"><input type="hidden" name="workspace" value="${workspace.id}"><input type="hidden" name="side" value="${side}"><label class="field">Name or key <input type="search" name="search" value="${search}" maxlength="100"></label><button class="button">Search</button></form>`;
}

/** @throws cursor_invalid */
export async function sequenceList(
  where: ConsoleLocation,
  handle: WorkspaceHandle,
  { search, after }: ListQuery,
): Promise<Html> {
  const rows = await sequenceHeads.page(handle, {
    conditions: search === '' ? undefined : likeNameOrKey(search),
    after: decodeCursor(list, after),
    limit: maxShown + 1,
  });
  const { data, next_cursor: next } = toPage(list, rows, maxShown, sequenceHeads.position, (row: SequenceHead) => row);
  const totals = await totalsOf(
    handle,
    data.map(({ id }) => id),
  );
  const table = tableOf(
    'Sequences, the newest first',
    ['Name', 'Status', 'Starts', 'Runs', 'Active'],
    data.map((row) => [
      html`<a href="${linkWithin(where, { sequence: row.id })}">${row.name}</a><br><span class="hush">${row.key}</span>`,
      statusOf(row),
      triggerWords(row).title,
      totals.get(row.id)?.enrolled ?? 0,
      totals.get(row.id)?.active ?? 0,
    ]),
  );
  const searched = search === '' ? {} : { search };
  const pages = html`${after === undefined ? null : html`<a class="button" href="${linkWithin(where, searched)}">Newest</a>`}${next === null ? null : html`<a class="button" rel="next" href="${linkWithin(where, { ...searched, after: next })}">Older ones</a>`}`;
  const none =
    search === ''
      ? 'This workspace has no sequences yet. Create one with POST /v1/sequences, or define it in the code of the program.'
      : 'No sequence matches.';
  const turning =
    after === undefined && next === null ? null : html`<nav class="pages" aria-label="Pages">${pages}</nav>`;
  return html`<h1>All sequences</h1>${data.length === 0 ? emptyState(none) : table}${turning}`;
}

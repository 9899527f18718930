// The page of sequences in the console: a list with filters.
import { type ConsoleContext, type ConsoleMatch, type ConsoleView, isPostriderError } from '../../../core/index.ts';
import {
  beginsWith,
  clearFilters,
  dataTable,
  emptyNotice,
  filterForm,
  foundById,
  type Html,
  html,
  idOfRow,
  moment,
  nameCell,
  pager,
} from '../../../core/unstable.ts';
import { triggerWords } from '../graph/describe.ts';
import type { SequenceResource } from '../schema.ts';
import { runPath } from './run-path.ts';
import { isSequenceStatus, sequencePill, stateChoices } from './words.ts';

const path = 'sequences';
const pageSize = 50;

/** The states that the list shows without a filter. The operation `list` returns one state at a time, so each needs a call. */
const listedStatuses = ['published', 'paused', 'draft'] as const;

interface SequencesToShow {
  readonly data: readonly SequenceResource[];
  readonly next: string | null;
  /** Whether a state has more sequences than the list shows. */
  readonly hasMore: boolean;
}

async function byKey({ calls }: ConsoleContext, keyOrId: string): Promise<SequencesToShow> {
  try {
    return { data: [await calls.sequences.read({ keyOrId })], next: null, hasMore: false };
  } catch (error) {
    if (!isPostriderError(error, 'sequence_not_found')) throw error;
    return { data: [], next: null, hasMore: false };
  }
}

/** The newest sequences of each state in `listedStatuses`. */
async function loadNewest({ calls }: ConsoleContext): Promise<SequencesToShow> {
  const lists = await Promise.all(listedStatuses.map((status) => calls.sequences.list({ status, limit: pageSize })));
  const sequences = lists.flatMap(({ data }) => data);
  const data = sequences.sort((one, other) => (one.createdAt < other.createdAt ? 1 : -1));
  return { data, next: null, hasMore: lists.some(({ next_cursor: next }) => next !== null) };
}

async function loadPage(ctx: ConsoleContext): Promise<SequencesToShow> {
  const { key, status, cursor } = ctx.query;
  if (key !== undefined) return byKey(ctx, key.trim());
  if (status === undefined || !isSequenceStatus(status)) return loadNewest(ctx);
  const page = { status, limit: pageSize, ...(cursor === undefined ? {} : { cursor }) };
  const { data, next_cursor: next } = await ctx.calls.sequences.list(page);
  return { data, next, hasMore: false };
}

/** Finds the run or the sequence with this id. Otherwise finds the newest sequences whose names or keys begin with the text. */
export async function findSequences(ctx: ConsoleContext, text: string): Promise<ConsoleMatch[]> {
  const runs = await foundById(text, 'run', async (runId) => {
    await ctx.calls.sequences.runRead({ runId });
    return { title: 'Run', detail: runId, path: runPath(runId) };
  });
  if (runs.length > 0) return runs;
  const { data } = text.startsWith('seq_') ? await byKey(ctx, text) : await loadNewest(ctx);
  return data
    .filter(({ id, name, key }) => id === text || beginsWith(text, name, key))
    .map(({ id, name, key }) => ({ title: name, detail: key, path: `${path}/${id}` }));
}

function emptyList(ctx: ConsoleContext): Html {
  const { key, status } = ctx.query;
  if (key !== undefined || status !== undefined)
    return emptyNotice('No sequence matches these filters.', clearFilters(ctx, path));
  return emptyNotice(
    'A sequence is what happens to a contact over time, step by step. Your product makes the first one, in its code or through the API.',
  );
}

export async function sequenceList(ctx: ConsoleContext): Promise<ConsoleView> {
  const filter = filterForm(ctx, path, [
    { name: 'key', label: 'Key or id' },
    { name: 'status', label: 'State', options: stateChoices, none: 'All but archived' },
  ]);
  const { data, next, hasMore: isCut } = await loadPage(ctx);
  const rows = data.map((sequence) => [
    nameCell(ctx.link(`${path}/${sequence.id}`), sequence.name, idOfRow(sequence.key)),
    sequencePill(sequence),
    triggerWords(sequence).title,
    sequence.enrolledCount,
    sequence.activeRunCount,
    moment(sequence.updatedAt, ctx),
  ]);
  const columns = ['Sequence', 'State', 'Starts', { head: 'Runs', isNumber: true }, { head: 'Active', isNumber: true }];
  const table = data.length === 0 ? emptyList(ctx) : dataTable('Sequences', [...columns, 'Changed'], rows);
  const cut = isCut ? html`<p class="quiet">There are more. Choose a state to see all that are in it.</p>` : null;
  return { heading: 'Sequences', body: html`${filter}${table}${cut}${pager(ctx, path, next)}` };
}

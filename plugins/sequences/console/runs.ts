// Runs of a sequence in the console: the table of the newest, and the page with all of them.
import type { ConsoleContext, ConsoleView } from '../../../core/index.ts';
import {
  clearFilters,
  dataTable,
  emptyNotice,
  filterForm,
  type Html,
  html,
  moment,
  nameCell,
  pager,
} from '../../../core/unstable.ts';
import type { RunSummary } from '../schema.ts';
import { runPath } from './run-path.ts';
import { isRunStatus, runPill, runStateChoices } from './words.ts';

const pageSize = 50;

/** The name of a run's contact for people. */
export const personOf = ({ contact }: Pick<RunSummary, 'contact'>): string =>
  contact === null ? 'An erased contact' : (contact.email ?? contact.external_id ?? contact.id);

/** The runs, each with its contact. */
export const runTable = (ctx: ConsoleContext, caption: string, runs: readonly RunSummary[]): Html =>
  dataTable(
    caption,
    ['Contact', 'State', 'Now at', 'Began', 'Why it ended'],
    runs.map((run) => [
      nameCell(ctx.link(runPath(run.runId)), personOf(run)),
      runPill(run),
      run.currentNodes.join(', '),
      moment(run.startedAt, ctx),
      html`<span dir="auto">${run.exitReason ?? ''}</span>`,
    ]),
  );

/** All runs of a sequence, with a filter by state. */
export async function runList(ctx: ConsoleContext): Promise<ConsoleView> {
  const { id, name, key } = await ctx.calls.sequences.read({ keyOrId: ctx.params['sequenceId'] ?? '' });
  const path = `sequences/${id}/runs`;
  const { status, cursor } = ctx.query;
  const { data, next_cursor: next } = await ctx.calls.sequences.runs({
    keyOrId: id,
    limit: pageSize,
    ...(status !== undefined && isRunStatus(status) ? { status } : {}),
    ...(cursor === undefined ? {} : { cursor }),
  });
  const filter = filterForm(ctx, path, [{ name: 'status', label: 'State', options: runStateChoices }]);
  const empty =
    status === undefined
      ? emptyNotice('No contact has entered this sequence yet.', {
          text: 'The sequence',
          href: ctx.link(`sequences/${id}`),
        })
      : emptyNotice('No run is in this state.', clearFilters(ctx, path));
  const table = data.length === 0 ? empty : runTable(ctx, `Runs of ${name}`, data);
  return {
    heading: `Runs of ${name}`,
    meta: html`<a href="${ctx.link(`sequences/${id}`)}">${key}</a>`,
    body: html`${filter}${table}${pager(ctx, path, next)}`,
  };
}

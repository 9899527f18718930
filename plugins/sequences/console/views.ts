// The content of the page for one sequence: counts on its nodes, its newest runs, the steps of a run and why steps were skipped.
import type { ReadContext, Services, WorkspaceHandle } from '../../../core/index.ts';
import {
  type ConsoleLocation,
  emptyState,
  type Html,
  html,
  linkWithin,
  pageAddress,
  tableOf,
  timeOf,
} from '../../../core/unstable.ts';
import { waitsFor } from '../code/waiting.ts';
import type { Definition } from '../definition/schema.ts';
import { nodeWords, triggerWords } from '../graph/describe.ts';
import { runRows, type SequenceRow, type SequenceRunRow, type SequenceStepRow } from '../tables.ts';
import { countsOf } from '../tallies.ts';
import { nodeCell, pictureAt } from './parts.ts';
import { runStatus, statusOf, stepStatus } from './states.ts';

const shownRuns = 50;

/** The content of a page, and its name in the window title. */
interface ConsoleView {
  readonly about: string;
  readonly body: Html;
}

const graph = (where: ConsoleLocation, title: string, query: Readonly<Record<string, string>>): Html => {
  const source = pageAddress(
    { workspace: where.workspace.id, side: where.side, ...query },
    'sequences-console/graph.svg',
  );
  return pictureAt(source, title);
};

async function peopleOf(services: Services, handle: WorkspaceHandle, rows: readonly SequenceRunRow[]) {
  const ids = rows.flatMap(({ contact_id: contact }) => (contact === null ? [] : [contact]));
  const people = await services.contacts.among(handle, ids);
  return ({ contact_id: contact }: SequenceRunRow): string => {
    const person = contact === null ? undefined : people.get(contact);
    return person?.email ?? person?.external_id ?? contact ?? 'erased';
  };
}

export async function sequenceView(where: ConsoleLocation, row: SequenceRow, ctx: ReadContext): Promise<ConsoleView> {
  const { services } = ctx;
  const { definition } = row;
  const waits = await waitsFor(ctx, row);
  const counts = await countsOf(ctx.trx, row.id);
  const runs = await runRows.page(ctx.trx, { where: { sequence_id: row.id }, limit: shownRuns });
  const nameOf = await peopleOf(services, ctx.trx, runs);
  const nodes = tableOf(
    'Counts by node',
    ['Node', 'Reached', 'Waiting', 'Skipped', 'Failed'],
    definition.nodes.map((node) => {
      const { reached = 0, waiting = 0, skipped = 0, failed = 0 } = counts.get(node.id) ?? {};
      return [nodeCell(node), reached, waiting, skipped, failed];
    }),
  );
  const newest = tableOf(
    'The newest runs',
    ['Contact', 'Status', 'Now at', 'Began (UTC)', 'Ended because'],
    runs.map((run) => [
      html`<a href="${linkWithin(where, { sequence: row.id, run: run.id })}">${nameOf(run)}</a>`,
      runStatus(run),
      run.node_id ?? '–',
      timeOf(run.started_at),
      run.exit_reason ?? '',
    ]),
  );
  const trigger = triggerWords(definition);
  const body = html`<p><a href="${linkWithin(where)}">All sequences</a></p><h1>${row.name}</h1>
<p>${statusOf(row)} <span class="hush">${row.key}, version ${row.version}${row.draft ? ' and a draft, which is shown' : ''}. ${trigger.title} ${trigger.detail}</span></p>
${waits === undefined ? null : html`<p>It ${waits}</p>`}${graph(where, row.name, { sequence: row.id })}<h2>Nodes</h2>${nodes}<h2>Runs</h2>${runs.length === 0 ? emptyState('No contact has entered it on this side.') : newest}`;
  return { about: row.name, body };
}

export async function runView(
  where: ConsoleLocation,
  sequence: SequenceRow,
  {
    row,
    definition,
    steps,
  }: { readonly row: SequenceRunRow; readonly definition: Definition; readonly steps: readonly SequenceStepRow[] },
  services: Services,
  handle: WorkspaceHandle,
): Promise<ConsoleView> {
  const nameOf = await peopleOf(services, handle, [row]);
  const byId = new Map(definition.nodes.map((node) => [node.id, node]));
  const path = tableOf(
    'Steps of the run',
    ['When (UTC)', 'Node', 'Status', 'Why', 'Goes on (UTC)'],
    steps.map((step) => {
      const node = byId.get(step.node_id);
      const { title, detail } = node === undefined ? { title: step.kind, detail: '' } : nodeWords(node);
      const edge = step.output?.['edge'];
      return [
        timeOf(step.at),
        html`${title} ${detail}<br><span class="hush">${step.node_id}</span>`,
        stepStatus(step),
        step.reason ?? (typeof edge === 'string' ? `took ${edge}` : ''),
        step.due_at === null ? '' : timeOf(step.due_at),
      ];
    }),
  );
  const body = html`<p><a href="${linkWithin(where, { sequence: sequence.id })}">${sequence.name}</a></p><h1>${nameOf(row)}</h1>
<p>${runStatus(row)} <span class="hush">${row.exit_reason === null ? '' : `${row.exit_reason.replace(/\.$/, '')}. `}Began ${timeOf(row.started_at)} UTC${row.node_id === null ? '' : `, now at ${row.node_id}`}.</span></p>
${graph(where, `The way through ${sequence.name}`, { sequence: sequence.id, run: row.id })}<h2>Steps</h2>${path}`;
  return { about: `A run of ${sequence.name}`, body };
}

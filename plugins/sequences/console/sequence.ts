// The page of one sequence in the console: its picture with counts, its nodes, its newest runs and its facts.
import type { ConsoleContext, ConsoleView } from '../../../core/index.ts';
import {
  conclusion,
  dataTable,
  detailLayout,
  facts,
  type Html,
  type HtmlPart,
  html,
  idOfRow,
  moment,
  panel,
} from '../../../core/unstable.ts';
import { triggerWords } from '../graph/describe.ts';
import type { SequenceDetail } from '../schema.ts';
import { actionForms } from './actions.ts';
import { graphPanel, namedDefinition, nodeText } from './parts.ts';
import { runTable } from './runs.ts';
import { sequencePill } from './words.ts';

const newestRuns = 10;

const titled = (title: string, body: HtmlPart): Html => html`<section class="stack"><h2>${title}</h2>${body}</section>`;

/** The number of skipped steps, with the count of each reason. */
function skippedCell(skipped: Readonly<Record<string, number>>): HtmlPart {
  const counts = Object.entries(skipped);
  const sum = counts.reduce((total, [, count]) => total + count, 0);
  if (sum === 0) return 0;
  return html`${sum}<span class="below">${counts.map(([reason, count]) => `${reason} ${count}`).join(', ')}</span>`;
}

async function nodesSection(ctx: ConsoleContext, { nodes, stats = {} }: SequenceDetail): Promise<Html | null> {
  if (nodes.length === 0) return null;
  const numbers = ['Reached', 'Waiting', 'Skipped', 'Failed'].map((head) => ({ head, isNumber: true }));
  const rows = nodes.map((node) => {
    const { reached = 0, waiting = 0, skipped = {}, failed = 0 } = stats[node.id] ?? {};
    const name = html`<span dir="auto">${nodeText(ctx, node)}</span><span class="below">${node.id}</span>`;
    return [name, reached, waiting, skippedCell(skipped), failed];
  });
  return titled('Nodes', dataTable('Counts by node', ['Node', ...numbers], rows));
}

async function runsSection(ctx: ConsoleContext, { id }: SequenceDetail): Promise<Html> {
  const { data, next_cursor: next } = await ctx.calls.sequences.runs({ keyOrId: id, limit: newestRuns });
  if (data.length === 0)
    return panel('Runs', html`<p class="quiet">No contact has entered it on this side of the workspace.</p>`);
  const allRunsLink = next === null ? null : html`<p><a href="${ctx.link(`sequences/${id}/runs`)}">All runs</a></p>`;
  return titled('Newest runs', html`${runTable(ctx, 'The newest runs', data)}${allRunsLink}`);
}

/** A notice about the state of the sequence; null if the state needs no explanation. */
function statusNotice({ status, source, draft, version }: SequenceDetail): Html | null {
  if (status === 'draft' && source === 'code')
    return conclusion(
      'wait',
      'It is in the code of the program, and waits to be published in this workspace.',
      'The command postrider doctor says what it waits for.',
    );
  if (status === 'paused') return conclusion('wait', 'It is paused: no contact enters it, and its runs wait.');
  return draft && version > 0
    ? conclusion('info', html`Contacts follow version ${version}. Below is the working copy, which differs from it.`)
    : null;
}

export async function sequencePage(ctx: ConsoleContext): Promise<ConsoleView> {
  const keyOrId = ctx.params['sequenceId'] ?? '';
  const sequence = await ctx.calls.sequences.read({ keyOrId, stats: 'true', graph: 'svg' });
  const { id, key, name, version, source, graph = '' } = sequence;
  const named = { ...sequence, ...(await namedDefinition(ctx, sequence)) };
  const { title, detail } = triggerWords(named);
  const known = facts([
    ['Starts', `${title} ${detail}`.trim()],
    ['Key', idOfRow(key)],
    ['Published version', version === 0 ? 'None' : version],
    ['Changed by', source === 'code' ? 'The code of the program' : undefined],
    ['Runs', sequence.enrolledCount],
    ['Active runs', sequence.activeRunCount],
    ['Created', moment(sequence.createdAt, ctx)],
    ['Changed', moment(sequence.updatedAt, ctx)],
    ['All runs', html`<a href="${ctx.link(`sequences/${id}/runs`)}">Runs by state</a>`],
    ['Id', idOfRow(id)],
  ]);
  const main = [
    statusNotice(sequence),
    actionForms(ctx, sequence),
    graphPanel(graph, name),
    await nodesSection(ctx, named),
    await runsSection(ctx, sequence),
  ];
  return {
    heading: name,
    status: sequencePill(sequence),
    body: detailLayout(main, panel('Sequence', known)),
  };
}

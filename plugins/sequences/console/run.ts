// The page of one run in the console: its present node and the reason for it, its path through the graph, its steps with the messages that they
// sent, and its facts.
import type { ConsoleAction, ConsoleContext, ConsoleView } from '../../../core/index.ts';
import {
  actionForm,
  conclusion,
  detailLayout,
  facts,
  type Html,
  html,
  idOfRow,
  moment,
  type PillTone,
  panel,
  type TimelineStep,
  timelineOf,
  withMoments,
} from '../../../core/unstable.ts';
import type { Definition } from '../definition/schema.ts';
import { graphOf } from '../graph/index.ts';
import type { RunResource, SequenceResource } from '../schema.ts';
import { graphPanel, namedDefinition, nodeText } from './parts.ts';
import { runPath } from './run-path.ts';
import { personOf } from './runs.ts';
import { runPill, stepWords, toneOfRun } from './words.ts';

type Step = RunResource['steps'][number];

/** The present state of the run, or its end, in words. */
function conclusionOf(run: RunResource, { status: sequenceStatus }: SequenceResource): [tone: PillTone, text: string] {
  const { status, exitReason, steps } = run;
  const because = exitReason === null ? '.' : `: ${exitReason.replace(/\.$/, '')}.`;
  if (status !== 'active') {
    const words = {
      completed: 'It is completed',
      exited: 'It ended',
      cancelled: 'It was canceled',
      failed: 'It failed',
    };
    return [toneOfRun(run), `${words[status]}${because}`];
  }
  if (sequenceStatus === 'paused') return ['wait', 'The sequence is paused: the run waits until it is resumed.'];
  const { kind, dueAt = null } = steps.at(-1) ?? {};
  if (dueAt === null) return ['good', 'It waits for an event.'];
  return [
    'good',
    kind === 'wait_for_event' ? `It waits for an event, at most until ${dueAt}.` : `It continues at ${dueAt}.`,
  ];
}

/** The mail that the step sent, the social post that it made, or the run that it started; null if there is none. */
function resultLink(ctx: ConsoleContext, { kind, output }: Step): Html | null {
  const { sendId, runId, postId } = output ?? {};
  if (typeof sendId === 'string' && ctx.mayCall('sends.read'))
    return html` · <a href="${ctx.link(`sends/${sendId}`)}">The send</a>`;
  if (typeof postId === 'string' && ctx.mayCall('social.post_read'))
    return html` · <a href="${ctx.link(`social/posts/${postId}`)}">The post</a>`;
  return typeof runId === 'string' && kind === 'enroll'
    ? html` · <a href="${ctx.link(runPath(runId))}">The run</a>`
    : null;
}

function stepOf(ctx: ConsoleContext, { nodes }: Definition, step: Step): TimelineStep {
  const { nodeId, kind, at, dueAt, reason, output } = step;
  const node = nodes.find(({ id }) => id === nodeId);
  const [words, tone] = stepWords(step);
  const edge = output?.['edge'];
  const why = reason ?? (typeof edge === 'string' ? `took ${edge}` : undefined);
  const parts = [
    nodeId,
    why === undefined ? words : `${words}: ${why}`,
    ...(dueAt === null ? [] : [`continues at ${dueAt}`]),
  ];
  return {
    at,
    tone,
    title: node === undefined ? kind : nodeText(ctx, node),
    detail: html`${withMoments(parts.join(' · '), ctx)}${resultLink(ctx, step)}`,
  };
}

/** The nodes in the order of the run, for the picture. A node that repeats follows itself only once. */
const pathOf = ({ steps, currentNodes }: RunResource): string[] =>
  [...steps.map(({ nodeId }) => nodeId), ...currentNodes].filter((id, index, all) => id !== all[index - 1]);

const cancelForm = (ctx: ConsoleContext, run: RunResource, { name }: SequenceResource): Html | null =>
  run.status === 'active' && ctx.mayCall('sequences.run_cancel')
    ? actionForm(ctx, 'cancel', {
        label: 'Cancel this run',
        question: html`${personOf(run)} gets nothing more from this run of ${name}. It cannot be resumed. Nobody else is affected.`,
        verb: 'Cancel the run',
        isDestructive: true,
      })
    : null;

function contactLink(ctx: ConsoleContext, run: RunResource): Html | string {
  const { contact } = run;
  return contact !== null && ctx.mayCall('contacts.read')
    ? html`<a href="${ctx.link(`contacts/${contact.id}`)}">${personOf(run)}</a>`
    : personOf(run);
}

export async function runPage(ctx: ConsoleContext): Promise<ConsoleView> {
  const run = await ctx.calls.sequences.runRead({ runId: ctx.params['runId'] ?? '' });
  const { sequenceId, sequenceVersion: version } = run;
  // A run of a draft has no published version. The page then uses the working copy, which may have changed since the run began.
  const sequence = await ctx.calls.sequences.read({ keyOrId: sequenceId, ...(version === 0 ? {} : { version }) });
  const definition = await namedDefinition(ctx, sequence);
  const sequenceLink = html`<a href="${ctx.link(`sequences/${sequenceId}`)}">${sequence.name}</a>`;
  const [tone, sentence] = conclusionOf(run, sequence);
  const known = facts([
    ['Contact', contactLink(ctx, run)],
    ['Sequence', sequenceLink],
    ['Version', version === 0 ? 'Draft' : version],
    ['Now at', run.currentNodes.join(', ')],
    ['Began', moment(run.startedAt, ctx)],
    ['Ended', run.completedAt === null ? undefined : moment(run.completedAt, ctx)],
    ['Id', idOfRow(run.runId)],
  ]);
  const main = [
    conclusion(tone, withMoments(sentence, ctx)),
    cancelForm(ctx, run, sequence),
    graphPanel(graphOf(definition, 'svg', { path: pathOf(run) }), `The way through ${sequence.name}`),
    panel(
      'Steps',
      timelineOf(
        ctx,
        run.steps.map((step) => stepOf(ctx, definition, step)),
      ),
    ),
  ];
  return {
    heading: personOf(run),
    status: runPill(run),
    meta: html`A run of ${sequenceLink}`,
    body: detailLayout(main, panel('Run', known)),
  };
}

/** Cancels an active run. */
export const cancelAction: ConsoleAction = {
  done: 'The run was canceled. It sends nothing more.',
  async run({ calls, params }, { idempotencyKey }) {
    await calls.sequences.runCancel({ runId: params['runId'] ?? '' }, { idempotencyKey });
  },
};

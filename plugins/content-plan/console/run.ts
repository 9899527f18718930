// The page of the plan of one week in the console: its proposals, the decision on the waiting proposal, and the posts.
import type { ConsoleAction, ConsoleContext, ConsoleView } from '../../../core/index.ts';
import {
  actionForm,
  conclusion,
  dataTable,
  detailLayout,
  facts,
  type Html,
  html,
  idOfRow,
  moment,
  panel,
  pill,
} from '../../../core/unstable.ts';
import { gateName, type PlanRun } from '../runs/schema.ts';
import { gateWords, isWorking, statusPill } from './words.ts';

/** The interval at which the browser reloads the page while something is planned, in seconds. */
const refreshSeconds = 5;

type Gate = PlanRun['gates'][number];

/** Decides on the gate that the form names. */
const decide = (decision: 'approve' | 'revise' | 'reject', done: string): ConsoleAction => ({
  done,
  async run(ctx, { idempotencyKey, fields: { gate, comment = '' } }) {
    const commentText = comment.trim();
    await ctx.calls.contentPlan.runDecide(
      {
        runId: ctx.params['runId'] ?? '',
        gate: gateName.safeParse(gate).data ?? 'themes',
        decision,
        ...(commentText === '' ? {} : { comment: commentText }),
      },
      { idempotencyKey },
    );
  },
});

/** The actions of the page. */
export const runActions: Readonly<Record<string, ConsoleAction>> = {
  approve: decide('approve', 'You have approved the proposal.'),
  revise: decide('revise', 'The proposal is being made again.'),
  reject: decide('reject', 'You have rejected the plan.'),
};

function decisionForms(ctx: ConsoleContext, { gate }: Gate): Html | null {
  if (!ctx.mayCall('content_plan.run_decide')) return null;
  const comment = { name: 'comment', isLong: true, maxLength: 2_000 } as const;
  const fields = { gate };
  const name = gateWords[gate].toLowerCase();
  return html`${actionForm(ctx, 'approve', {
    label: 'Approve',
    question: html`The ${name} are approved as proposed. After the last proposal, the posts are made as drafts, or as holds (placeholders without a text).`,
    verb: `Approve the ${name}`,
    fields,
    inputs: [{ ...comment, label: 'Note' }],
  })}${actionForm(ctx, 'revise', {
    label: 'Ask for changes',
    question: html`The ${name} are proposed again, with your comment.`,
    verb: 'Propose again',
    fields,
    inputs: [{ ...comment, label: 'What should be different', isRequired: true }],
  })}${actionForm(ctx, 'reject', {
    label: 'Reject the plan',
    question: 'The plan of this week ends. No post is made.',
    verb: 'Reject the plan',
    isDestructive: true,
    fields,
    inputs: [{ ...comment, label: 'Why' }],
  })}`;
}

function proposalTable(ctx: ConsoleContext, gate: Gate): Html {
  const text = (words: string): Html => html`<span dir="auto">${words}</span>`;
  if (gate.proposal === null) return html`<p class="quiet">Not planned yet.</p>`;
  switch (gate.gate) {
    case 'themes':
      return dataTable(
        'Themes',
        ['Theme', 'Why'],
        gate.proposal.map(({ title, reason }) => [text(title), text(reason)]),
      );
    case 'slots':
      return dataTable(
        'Slots',
        ['When', 'Channel', 'Idea'],
        gate.proposal.map(({ at, channel, idea }) => [moment(at, ctx), channel, text(idea)]),
      );
    default:
      return dataTable(
        'Captions',
        ['Channel', 'Text'],
        gate.proposal.map(({ channel, caption }) => [channel, text(caption)]),
      );
  }
}

function gatePart(ctx: ConsoleContext, gate: Gate, isWaiting: boolean): Html {
  const state =
    gate.status === 'approved' ? pill('Approved', 'good') : isWaiting ? pill('Waits for a decision', 'wait') : null;
  const comment = gate.comment === null ? null : html`<p class="quiet" dir="auto">${gate.comment}</p>`;
  return html`<section class="stack"><h2>${gateWords[gate.gate]} ${state}</h2>${comment}${proposalTable(ctx, gate)}${isWaiting ? decisionForms(ctx, gate) : null}</section>`;
}

function resultsPart(ctx: ConsoleContext, { results }: PlanRun): Html | null {
  if (results.length === 0) return null;
  const rows = results.map(({ kind, id }) => [
    kind === 'post' ? 'Draft of a post' : 'Hold',
    kind === 'post' && ctx.mayCall('social.post_read')
      ? html`<a href="${ctx.link(`social/posts/${id}`)}">${id}</a>`
      : idOfRow(id),
  ]);
  return html`<section class="stack"><h2>What was made</h2>${dataTable('What was made', ['Kind', 'Id'], rows)}</section>`;
}

export async function runPage(ctx: ConsoleContext): Promise<ConsoleView> {
  const run = await ctx.calls.contentPlan.runRead({ runId: ctx.params['runId'] ?? '' });
  const { status, gates, error, leftOut, credits } = run;
  const waiting = status === 'awaiting_decision' ? gates.find((gate) => gate.status !== 'approved') : undefined;
  const main = [
    error === null ? null : conclusion('bad', error),
    ...leftOut.map(({ message }) => conclusion('wait', message)),
    ...gates.map((gate) => gatePart(ctx, gate, gate === waiting)),
    resultsPart(ctx, run),
  ];
  const runFacts = facts([
    ['Channels', run.channels.join(', ')],
    ['Time zone', run.timezone],
    ['Brief', run.brief],
    ['Posts per channel', run.postsPerChannel],
    ['Credits', credits.price === 0 ? undefined : `${credits.charged} of ${credits.price} charged`],
    ['Expires', run.expiresAt === null ? undefined : moment(run.expiresAt, ctx)],
    ['Created', moment(run.createdAt, ctx)],
    ['Changed', moment(run.updatedAt, ctx)],
    ['Id', idOfRow(run.runId)],
  ]);
  return {
    heading: `Week of ${run.weekOf}`,
    status: statusPill(run),
    body: detailLayout(main, panel('Plan', runFacts)),
    ...(isWorking(run) ? { refreshSeconds } : {}),
  };
}

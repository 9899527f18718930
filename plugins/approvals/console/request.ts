// The page of one request for approval: the change as text and as a preview, the decisions, and the forms to decide.
import {
  type ConsoleAction,
  type ConsoleContext,
  type ConsoleDocument,
  type ConsoleView,
  coreErrors,
  isPostriderError,
} from '../../../core/index.ts';
import {
  actionForm,
  comparedText,
  detailLayout,
  differences,
  documentFrame,
  facts,
  type Html,
  html,
  moment,
  panel,
  timelineOf,
} from '../../../core/unstable.ts';
import { memberNames } from '../../kit/member-names.ts';
import type { DecisionKind, RequestResource } from '../schema.ts';
import { decisionWords, effectOf, kindWords, needsText, reasonText, requesterText, statePill } from './words.ts';

export const requestStyle =
  '.both{display:grid;gap:16px;grid-template-columns:repeat(auto-fit,minmax(min(100%,260px),1fr))}.both h3{margin:0 0 4px;font-size:13px;line-height:18px}.decide{display:grid;gap:8px}';

const idOf = ({ params }: Pick<ConsoleContext, 'params'>): string => params['requestId'] ?? '';

/** The interval at which the browser reloads the page while a job carries out the approved call, in seconds. */
const refreshSeconds = 4;

type Preview = Awaited<ReturnType<ConsoleContext['calls']['approvals']['preview']>>;

function changesOf({ diff, status }: RequestResource): Html {
  const isOpen = status === 'pending';
  if (diff === null)
    return html`<p class="quiet">${isOpen ? 'Nothing is public yet.' : 'Nothing was public before, or the differences are no longer kept.'}</p>`;
  if (diff.length === 0)
    return html`<p class="quiet">The content ${isOpen ? 'is' : 'was'} the same as the public content.</p>`;
  return differences(
    diff.map(({ path, before, after }) => ({
      name: path,
      before: comparedText(before),
      after: comparedText(after),
    })),
  );
}

function framed(ctx: ConsoleContext, side: 'before' | 'after', title: string, preview: Preview['after']): Html {
  const content =
    preview === null
      ? html`<p class="quiet">Nothing.</p>`
      : html`${preview.subject === null ? null : html`<p dir="auto"><strong>${preview.subject}</strong></p>`}${documentFrame(ctx.link(`approvals/${idOf(ctx)}/${side}`), title)}`;
  return html`<div><h3>${title}</h3>${content}</div>`;
}

function previewPanel(
  ctx: ConsoleContext,
  { status }: RequestResource,
  { state, before, after }: Preview,
): Html | null {
  if (state === 'content_changed')
    return panel(
      'What was decided on',
      html`<p class="quiet">The content has changed since. The earlier version is not kept.</p>`,
    );
  if (state === 'not_rendered') return null;
  const isOpen = status === 'pending';
  const beforeFrame = isOpen || before !== null ? framed(ctx, 'before', 'Before', before) : null;
  return panel(
    isOpen ? 'Side by side' : 'What was decided on',
    html`<div class="both">${beforeFrame}${framed(ctx, 'after', beforeFrame === null ? 'Content' : 'After', after)}</div>`,
  );
}

const decisionList = (ctx: ConsoleContext, { decisions }: RequestResource, names: ReadonlyMap<string, string>): Html =>
  timelineOf(
    ctx,
    decisions.map(({ uid, decision, comment, at }) => ({
      at,
      title: `${names.get(uid) ?? uid} ${decisionWords[decision]}`,
      ...(comment === null ? {} : { detail: comment }),
      tone: decision === 'approve' ? 'good' : 'bad',
    })),
  );

/** The previous request for the same target, which was turned down. Shown to members who did not decide on it. */
async function earlierPanel(ctx: ConsoleContext, { supersedes }: RequestResource, names: ReadonlyMap<string, string>) {
  if (supersedes === null) return null;
  const earlier = await ctx.calls.approvals.read({ requestId: supersedes }).catch((error: unknown) => {
    if (isPostriderError(error) && error.code === 'approval_not_found') return undefined;
    throw error;
  });
  if (earlier === undefined) return null;
  const link = html`<p><a dir="auto" href="${ctx.link(`approvals/${earlier.requestId}`)}">${earlier.summary}</a> ${statePill(earlier)}</p>`;
  return panel('Earlier request', html`${link}${decisionList(ctx, earlier, names)}`);
}

function decideForms(ctx: ConsoleContext, { status, summary, contentHash }: RequestResource): Html | null {
  if (status !== 'pending' || !ctx.mayCall('approvals.decide')) return null;
  const comment = { name: 'comment', label: 'Comment', isLong: true, maxLength: 2_000 } as const;
  const fields = { contentHash };
  return panel(
    'Decide',
    html`<div class="decide">${actionForm(ctx, 'approve', { label: 'Approve', question: html`Approve: ${summary}`, verb: 'Approve', fields, inputs: [comment] })}${actionForm(ctx, 'request_changes', { label: 'Ask for changes', question: 'Describe the changes to make. The requester reads it.', verb: 'Ask for changes', fields, inputs: [{ ...comment, isRequired: true }] })}${actionForm(ctx, 'reject', { label: 'Reject', question: 'Say why you reject it. The requester reads it.', verb: 'Reject', isDestructive: true, fields, inputs: [{ ...comment, isRequired: true }] })}</div>`,
  );
}

function executionWords({ status, error }: NonNullable<RequestResource['execution']>): string {
  if (error !== null) return `Failed: ${error}`;
  return status === 'waiting' ? 'In a moment. This page reloads by itself.' : 'Done';
}

/** The page of one request. */
export async function requestPage(ctx: ConsoleContext): Promise<ConsoleView> {
  const request = await ctx.calls.approvals.read({ requestId: idOf(ctx) });
  const preview = await ctx.calls.approvals.preview({ requestId: idOf(ctx) });
  const names = await memberNames(ctx);
  const { execution, status } = request;
  const requestFacts = facts([
    ['Kind', kindWords[request.surfaceKind]],
    ['Asked for by', requesterText(request, names)],
    ['Asked for', moment(request.createdAt, ctx)],
    ['Needs', needsText(request, names)],
    ['Decide until', status === 'pending' ? moment(request.expiresAt, ctx) : null],
    ['After the approval', status === 'pending' ? effectOf(request) : null],
    ['Note', request.note],
    ['Reason', reasonText(request.reason)],
    ['Carried out', execution === null ? null : executionWords(execution)],
  ]);
  const main = [
    panel('What changes', changesOf(request)),
    previewPanel(ctx, request, preview),
    request.decisions.length === 0 ? null : panel('Decisions', decisionList(ctx, request, names)),
    await earlierPanel(ctx, request, names),
  ];
  return {
    heading: request.summary,
    status: statePill(request),
    body: detailLayout(main, [decideForms(ctx, request), panel('Request', requestFacts)]),
    ...(execution?.status === 'waiting' ? { refreshSeconds } : {}),
  };
}

const emptyDocument = '<!doctype html><title>Nothing</title><p>There is nothing to show.</p>';

/** The document of one side of the change, which a frame shows. */
export const requestSide =
  (side: 'before' | 'after') =>
  async (ctx: ConsoleContext): Promise<ConsoleDocument> => {
    const preview = await ctx.calls.approvals.preview({ requestId: idOf(ctx) });
    return { document: preview[side]?.html ?? emptyDocument, hasOwnPictures: true };
  };

/** The action of a decision form. Its hash identifies the content that the person has seen. */
export const decideAction = (decision: DecisionKind, done: string): ConsoleAction => ({
  done,
  async run(ctx, { idempotencyKey, fields: { contentHash = '', comment = '' } }) {
    const text = comment.trim();
    if (text === '' && decision !== 'approve')
      throw coreErrors.validation_failed({ summary: 'Write a comment: the requester reads it.' });
    const requestBody = { requestId: idOf(ctx), decision, contentHash, ...(text === '' ? {} : { comment: text }) };
    await ctx.calls.approvals.decide(requestBody, { idempotencyKey });
  },
});

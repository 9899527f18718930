// Accepts one message for up to 1,000 recipients, each checked separately. Runs inside the operation's transaction, with no I/O except
// the database. Fields that all recipients share are checked and stored once.
import {
  normaliseAddress,
  type OperationContext,
  type PostriderError,
  type TransactionContext,
} from '../../../core/index.ts';
import type { ResolvedTemplate } from '../../templates/index.ts';
import { allowed } from '../decision/decide.ts';
import { decideToAccept } from '../decision/judge.ts';
import { expectedProvider } from '../delivery/mail-connection.ts';
import { sealAttachments } from '../delivery/send-content.ts';
import { firstCheckAt } from '../jobs/finish-batch.ts';
import type { BatchBody, BatchItem } from '../schema.ts';
import { addAttachments } from '../store.ts';
import { budgetExhausted, checkRights, expiresAtOf, replyToOf, scheduledAtOf, senderOf } from './accept.ts';
import { decodeAttachments } from './attachments.ts';
import { type CheckedRecipients, checkRecipientsAtOnce, invalid, isForTemplate } from './batch-recipients.ts';
import { checkHeaders } from './headers.ts';
import { initialStateOf } from './initial-state.ts';
import { recordSend, type SharedMessage } from './record-send.ts';

/** The maximum size of draft copies in one batch, in characters: each send of a sandbox key's draft stores a copy of the draft. */
const maxDraftText = 16 * 1_048_576;

const itemOf = (index: number, { type, code, message, details }: PostriderError): BatchItem => ({
  index,
  error: { type, code, message, ...(details === undefined ? {} : { details: [...details] }) },
});

/** @throws validation_failed if the copies of a draft would use too much memory */
function checkDraft({ draft }: ResolvedTemplate, recipients: number): void {
  if (draft === undefined || JSON.stringify(draft).length * recipients <= maxDraftText) return;
  throw invalid('template', 'This draft is too large for so many recipients. Publish it, or give fewer of them.');
}

/** Counts as many sends as the monthly budget allows, at most `requested`. */
export async function takeSendBudget(
  ctx: TransactionContext,
  requested: number,
): Promise<{ readonly granted: number; readonly renewsAt: number }> {
  if (requested === 0 || ctx.sandbox) return { granted: requested, renewsAt: 0 };
  const budget = ctx.workspace.plan.monthlySendBudget;
  const allCounted = await ctx.spend('sends', requested, budget);
  if (!allCounted.exceeded) return { granted: requested, renewsAt: 0 };
  let granted = 0;
  // Each step is counted entirely or not at all, so halving finds the exact remainder.
  for (let step = 2 ** Math.floor(Math.log2(requested)); step >= 1; step /= 2)
    if (granted + step <= requested && !(await ctx.spend('sends', step, budget)).exceeded) granted += step;
  return { granted, renewsAt: allCounted.renewsAt };
}

/**
 * Accepts a batch. `computed` is the check from before the transaction. It is missing if the call runs inside another transaction.
 * @throws the errors of a send that concern all recipients. Errors of a single recipient are returned at its index
 */
export async function acceptBatch(
  ctx: OperationContext,
  body: BatchBody,
  computed: CheckedRecipients | undefined,
): Promise<BatchItem[]> {
  const { sandbox } = ctx;
  checkRights(ctx, { from: body.from, bypassSuppression: false });
  const { templates, suppressions } = ctx.services;
  const template = await templates.resolve(ctx, body.template, { drafts: sandbox, locale: body.locale });
  const scheduledAt = scheduledAtOf(ctx, body);
  const shared: SharedMessage = {
    mode: { sandbox, test: false },
    template,
    from: senderOf(ctx, body),
    replyTo: replyToOf(ctx, { replyTo: body.replyTo }),
    expiresAt: expiresAtOf(ctx, body, template),
    headers: checkHeaders(body.headers, ctx.ports.mail.known(ctx.workspace.id)?.reservedHeaders),
    scenario: sandbox ? 'delivered' : null,
    bypass: false,
    tags: body.tags,
    provider: await expectedProvider(ctx, template, sandbox),
  };
  const attachments = decodeAttachments(body.attachments);

  checkDraft(template, body.recipients.length);
  const checked = isForTemplate(computed, template) ? computed : checkRecipientsAtOnce(body, template, ctx.now);
  const items = new Map(checked.refused.map(({ index, error }) => [index, itemOf(index, error)]));
  const { valid } = checked;

  const suppressed = await suppressions.findAmong(
    ctx.trx,
    valid.map(({ to }) => to.email),
    ctx.now,
  );
  const recipients = valid.map(({ to: { email } }) => ({
    email,
    suppression: suppressed.get(normaliseAddress(email)),
    bypass: false,
  }));
  const { category, topicKey } = template;
  const question = { category, topicKey, fromEmail: shared.from.email, scheduledAt, expiresAt: shared.expiresAt };
  const { decisions, slots } = await decideToAccept(ctx, recipients, question);
  const outcomes = valid.map((recipient, index) => ({
    recipient,
    initialState: initialStateOf(decisions[index] ?? allowed, scheduledAt, ctx.now),
  }));
  const sendCount = outcomes.filter(({ initialState }) => !initialState.finished).length;
  const { granted, renewsAt } = await takeSendBudget(ctx, sendCount);

  const batchId = attachments.length > 0 && granted > 0 ? ctx.newId('bat') : undefined;
  const sendIds: string[] = [];
  const leaving: string[] = [];
  for (const { recipient, initialState } of outcomes) {
    const { index, ...message } = recipient;
    if (!initialState.finished && sendIds.length === granted) {
      items.set(index, itemOf(index, budgetExhausted(ctx, renewsAt)));
      continue;
    }
    const { send } = recordSend(ctx, shared, {
      ...message,
      initialState,
      attachments: [],
      attachmentsOf: batchId,
    });
    if (!initialState.finished) sendIds.push(send.id);
    if (send.status === 'sent') leaving.push(send.id);
    items.set(index, { index, id: send.id, status: send.status });
  }
  await slots?.take(leaving);
  if (batchId !== undefined) {
    addAttachments(ctx.trx, sealAttachments(ctx.ports.keyring, batchId, attachments, null));
    // The job is also enqueued if the sends wait for weeks, because all of them may be canceled before they are due.
    ctx.enqueue({
      kind: 'email.finish_batch',
      payload: { batchId, sendIds },
      lane: 'bulk',
      runAt: firstCheckAt(ctx.now),
    });
  }
  ctx.note({ template: template.key, recipients: body.recipients.length, accepted: sendIds.length });
  return body.recipients.flatMap((_, index) => items.get(index) ?? []);
}

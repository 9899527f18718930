// Accepts one message for up to 1,000 recipients, each checked separately. Runs inside the operation's transaction, with no I/O except
// the database. Fields that all recipients share are checked and stored once.
import {
  normaliseAddress,
  type OperationContext,
  type PostriderError,
  type TransactionContext,
} from '../../core/index.ts';
import type { ResolvedTemplate } from '../templates/index.ts';
import {
  acceptedAt,
  budgetExhausted,
  checkRights,
  expiresAtOf,
  record,
  replyToOf,
  type SharedMessage,
  scheduledAtOf,
  senderOf,
  suppressedBy,
} from './accept.ts';
import { decodeAttachments } from './attachments.ts';
import { type CheckedRecipients, checkNow, invalid, isOf } from './batch-recipients.ts';
import { sealAttachments } from './content.ts';
import { checkHeaders } from './headers.ts';
import { firstLook } from './jobs/finish-batch.ts';
import { expectedProvider } from './mail-connection.ts';
import type { BatchBody, BatchItem } from './schema.ts';
import { addAttachments } from './store.ts';

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

/** Counts as many sends as the monthly budget allows, at most `wanted`. */
export async function spendUpTo(
  ctx: TransactionContext,
  wanted: number,
): Promise<{ readonly granted: number; readonly renewsAt: number }> {
  if (wanted === 0 || ctx.sandbox) return { granted: wanted, renewsAt: 0 };
  const budget = ctx.workspace.plan.monthlySendBudget;
  const whole = await ctx.spend('sends', wanted, budget);
  if (!whole.exceeded) return { granted: wanted, renewsAt: 0 };
  let granted = 0;
  // Each step is counted entirely or not at all, so halving finds the exact remainder.
  for (let step = 2 ** Math.floor(Math.log2(wanted)); step >= 1; step /= 2)
    if (granted + step <= wanted && !(await ctx.spend('sends', step, budget)).exceeded) granted += step;
  return { granted, renewsAt: whole.renewsAt };
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
  const shared: SharedMessage = {
    mode: { sandbox, test: false },
    template,
    from: senderOf(ctx, body),
    replyTo: replyToOf(ctx, { replyTo: body.replyTo }),
    scheduledAt: scheduledAtOf(ctx, body),
    expiresAt: expiresAtOf(ctx, body, template),
    headers: checkHeaders(body.headers, ctx.ports.mail.known(ctx.workspace.id)?.reservedHeaders),
    scenario: sandbox ? 'delivered' : null,
    bypass: false,
    tags: body.tags,
    provider: await expectedProvider(ctx, template, sandbox),
  };
  const attachments = decodeAttachments(body.attachments);

  checkDraft(template, body.recipients.length);
  const checked = isOf(computed, template) ? computed : checkNow(body, template, ctx.now);
  const items = new Map(checked.refused.map(({ index, error }) => [index, itemOf(index, error)]));
  const { valid } = checked;

  const suppressed = await suppressions.findAmong(
    ctx.trx,
    valid.map(({ to }) => to.email),
    ctx.now,
  );
  const outcomes = valid.map((one) => {
    const found = suppressed.get(normaliseAddress(one.to.email));
    return { one, stopped: suppressions.stops(found, ctx.workspace, { category: template.category, bypass: false }) };
  });
  const wanted = outcomes.filter(({ stopped }) => stopped === undefined).length;
  const { granted, renewsAt } = await spendUpTo(ctx, wanted);

  const batchId = attachments.length > 0 && granted > 0 ? ctx.newId('bat') : undefined;
  const sendIds: string[] = [];
  for (const { one, stopped } of outcomes) {
    const { index, ...message } = one;
    if (stopped === undefined && sendIds.length === granted) {
      items.set(index, itemOf(index, budgetExhausted(ctx, renewsAt)));
      continue;
    }
    const outcome = stopped === undefined ? acceptedAt(shared.scheduledAt) : suppressedBy(stopped);
    const { send } = record(ctx, shared, { ...message, outcome, attachments: [], attachmentsOf: batchId });
    if (stopped === undefined) sendIds.push(send.id);
    items.set(index, { index, id: send.id, status: send.status });
  }
  if (batchId !== undefined) {
    addAttachments(ctx.trx, sealAttachments(ctx.ports.keyring, batchId, attachments, null));
    // Also enqueued if the sends wait for weeks, because all of them may be canceled before.
    ctx.enqueue({ kind: 'email.finish_batch', payload: { batchId, sendIds }, lane: 'bulk', runAt: firstLook(ctx.now) });
  }
  ctx.note({ template: template.key, recipients: body.recipients.length, accepted: sendIds.length });
  return body.recipients.flatMap((_, index) => items.get(index) ?? []);
}

// `ctx.services.bulkMail`: accepts one mail to many people for another plugin, from a frozen version of a template. No mail is accepted for
// a recipient who has to wait or may not be written to: the result has the reason. Called inside the caller's transaction.
import {
  isPostriderError,
  normaliseAddress,
  type OperationContext,
  type TransactionContext,
  type Workspace,
} from '../../../core/index.ts';
import { exactDurationMs } from '../../../core/unstable.ts';
import type { FrozenTemplate, ResolvedTemplate } from '../../templates/index.ts';
import { allowed, type DecisionCode, effectOf } from '../decision/decide.ts';
import { decideToAccept } from '../decision/judge.ts';
import { expectedProvider } from '../delivery/mail-connection.ts';
import type { SendPublic } from '../schema.ts';
import { sendRows } from '../store.ts';
import type { LinkParameters } from '../tracking/link-parameters.ts';
import { senderOf } from './accept.ts';
import { takeSendBudget } from './accept-batch.ts';
import { enqueueDelivery } from './enqueue-delivery.ts';
import { initialStateOf, nextDecisionAt } from './initial-state.ts';
import { parseRecipient } from './recipient.ts';
import { type RecipientMessage, recordSend, type SendContext, type SharedMessage } from './record-send.ts';
import { acceptTestMail, type TestMail } from './test-mail.ts';

type Variables = Readonly<Record<string, unknown>>;

/** A recipient of the mail. */
export interface BulkRecipient {
  /** The address as the caller wrote it. */
  readonly email: string;
  readonly locale: string | undefined;
  /** Called in this transaction. @throws variables_invalid if a text cannot be rendered */
  variables(): Variables;
}

/** One mail to many people. */
export interface BulkMail {
  readonly broadcastId: string;
  readonly template: FrozenTemplate;
  readonly from: { readonly email: string; readonly name: string };
  readonly replyTo: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly utm: LinkParameters;
  readonly recipients: readonly BulkRecipient[];
  /** The sends of the broadcast that were accepted before a time and not handed over. They get slots first if the sender has few. */
  readonly earlier: (before: number) => Promise<readonly string[]>;
}

/** The result for one recipient. */
export type BulkResult =
  | { readonly kind: 'accepted'; readonly sendId: string }
  /** The mail may be accepted at `until`, in milliseconds. */
  | { readonly kind: 'waits'; readonly code: DecisionCode; readonly until: number }
  | { readonly kind: 'refused'; readonly code: DecisionCode | 'variables_invalid'; readonly message: string }
  /** The monthly budget has no room for the mail. */
  | { readonly kind: 'over_budget' };

/** `ctx.services.bulkMail`. */
export interface BulkMailService {
  /** @throws from_not_allowed */
  checkSender(workspace: Workspace, from: { readonly email: string; readonly name: string }): void;
  /** Accepts the mail for each recipient who may be written to now. Returns one result for each recipient, in order. */
  accept(ctx: TransactionContext, mail: BulkMail): Promise<readonly BulkResult[]>;
  /**
   * Accepts a test of the mail to a few addresses: real mail that leaves at once, unless its address is suppressed.
   * @throws variables_invalid, send_budget_exhausted
   */
  acceptTest(ctx: OperationContext, mail: TestMail): Promise<readonly SendPublic[]>;
  /** Replaces the delivery jobs of accepted sends by jobs that are due at once. Only for sends that have no claimed job. */
  deliverNow(ctx: TransactionContext, sendIds: readonly string[]): Promise<void>;
}

/** A recipient whose variables fit the contract. */
interface Prepared extends Pick<RecipientMessage, 'to' | 'variables' | 'subject' | 'previewText' | 'shown'> {
  readonly index: number;
  readonly template: ResolvedTemplate;
}

async function prepare(ctx: TransactionContext, mail: BulkMail, outcomes: (BulkResult | undefined)[]) {
  const { services, now } = ctx;
  const templates = new Map<string | undefined, ResolvedTemplate>();
  const prepared: Prepared[] = [];
  for (const [index, { email, locale, variables: variableInput }] of mail.recipients.entries()) {
    const to = parseRecipient(email);
    if (to === undefined) {
      outcomes[index] = { kind: 'refused', code: 'no_address', message: 'This is not an email address.' };
      continue;
    }
    const template = templates.get(locale) ?? (await services.templates.resolveFrozen(ctx, mail.template, locale));
    templates.set(locale, template);
    try {
      prepared.push({ index, to, template, ...template.accept(variableInput(), now) });
    } catch (error) {
      if (!isPostriderError(error, 'variables_invalid')) throw error;
      outcomes[index] = { kind: 'refused', code: 'variables_invalid', message: error.message };
    }
  }
  return prepared;
}

/** The recipients who may be written to now. Sets the outcomes of the others. */
async function decide(
  ctx: TransactionContext,
  mail: BulkMail,
  prepared: readonly Prepared[],
  outcomes: (BulkResult | undefined)[],
) {
  const [first] = prepared;
  if (first === undefined) return { sendable: [], slots: undefined };
  const emails = prepared.map(({ to }) => to.email);
  const suppressed = await ctx.services.suppressions.findAmong(ctx.trx, emails, ctx.now);
  const recipients = emails.map((email) => ({
    email,
    suppression: suppressed.get(normaliseAddress(email)),
    bypass: false,
  }));
  const { category, topicKey } = first.template;
  const { decisions, slots } = await decideToAccept(ctx, recipients, {
    category,
    topicKey,
    fromEmail: mail.from.email,
    scheduledAt: null,
    // If a recipient has to wait, the mail is accepted later, and its time until expiry begins then.
    expiresAt: null,
    earlier: mail.earlier,
  });
  const sendable = prepared.filter(({ index }, position) => {
    const effect = effectOf(decisions[position] ?? allowed);
    if (effect.kind === 'sent') return true;
    outcomes[index] =
      effect.kind === 'waits'
        ? { kind: 'waits', code: effect.reason.code, until: nextDecisionAt(effect.until, ctx.now) }
        : { kind: 'refused', ...effect.reason };
    return false;
  });
  return { sendable, slots };
}

/** The time at which a mail that is accepted now expires; null if it never does. */
function expiryOf({ now }: TransactionContext, { template }: BulkMail): number | null {
  const life = exactDurationMs(template.expiresIn ?? '');
  return life === undefined ? null : now + life;
}

/** Creates the service. It has no state. */
export const createBulkMail = (): BulkMailService => ({
  checkSender: (workspace, from) => void senderOf({ workspace }, { from }),

  async accept(tx, mail) {
    const outcomes: (BulkResult | undefined)[] = mail.recipients.map(() => undefined);
    const { sendable, slots } = await decide(tx, mail, await prepare(tx, mail, outcomes), outcomes);
    const { granted } = await takeSendBudget(tx, sendable.length);
    const ctx: SendContext = { ...tx, actor: { kind: 'system' } };
    const providers = new Map<string, string>();
    const accepted: string[] = [];
    for (const [position, { index, template, ...recipient }] of sendable.entries()) {
      if (position >= granted) {
        outcomes[index] = { kind: 'over_budget' };
        continue;
      }
      const provider = providers.get(template.key) ?? (await expectedProvider(ctx, template, tx.sandbox));
      providers.set(template.key, provider);
      const shared: SharedMessage = {
        mode: { sandbox: tx.sandbox, test: false },
        template,
        from: mail.from,
        replyTo: mail.replyTo,
        expiresAt: expiryOf(tx, mail),
        headers: { kept: { ...mail.headers }, stripped: [] },
        scenario: tx.sandbox ? 'delivered' : null,
        bypass: false,
        tags: [],
        provider,
        lane: 'bulk',
        broadcastId: mail.broadcastId,
        utm: mail.utm,
      };
      const initialState = initialStateOf(allowed, null, tx.now);
      const metadata = { broadcastId: mail.broadcastId };
      const message = { ...recipient, metadata, initialState, attachments: [] };
      const { id: sendId } = recordSend(ctx, shared, message).send;
      outcomes[index] = { kind: 'accepted', sendId };
      accepted.push(sendId);
    }
    await slots?.take(accepted);
    return outcomes.map((outcome) => {
      if (outcome === undefined) throw new Error('A recipient of a bulk mail has no outcome.');
      return outcome;
    });
  },

  acceptTest: acceptTestMail,

  async deliverNow(ctx, sendIds) {
    for (const send of await sendRows.findIn(ctx.trx, 'id', [...sendIds]))
      enqueueDelivery(ctx, send, send.status === 'scheduled' ? ctx.now : null, 'bulk');
  },
});

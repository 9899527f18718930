// Reads the facts from the database and decides on a mail: when a send is accepted, and again when it is delivered. Callers read
// the suppression first, and pass it in. Only for marketing mail does this file read anything else from the database.
import { normaliseAddress, type ReadContext, type TransactionContext, type Workspace } from '../../../core/index.ts';
import type { MailCategory, SuppressionRow } from '../../suppressions/index.ts';
import type { SendRow } from '../tables.ts';
import { type Decision, decide, effectOf, type MarketingFacts } from './decide.ts';
import {
  claimMarketingFacts,
  claimSlots,
  factsOfAddress,
  type MarketingQuestion,
  readMarketingFacts,
  type SlotClaim,
  type SlotQuestion,
} from './marketing-facts.ts';

/** A context that reads rows of a workspace. */
export type JudgeContext = ReadContext & { readonly workspace: Workspace };

/** The facts about a mail that its caller knows. */
interface Mail {
  readonly email: string;
  readonly category: MailCategory;
  readonly suppression: SuppressionRow | undefined;
  readonly bypass: boolean;
  /** The time at which the mail should leave, in milliseconds. */
  readonly at: number;
  readonly expiresAt: number | null;
}

/** The decision about a mail, from its facts. */
export function judge(
  { services, workspace, sandbox, now }: JudgeContext,
  mail: Mail,
  marketing: MarketingFacts,
): Decision {
  const { category, suppression, bypass, at, expiresAt } = mail;
  const suppressed = services.suppressions.decide(suppression, workspace, { category, bypass });
  return decide({ category, sandbox, hasAddress: true, suppressed, marketing, at, now, expiresAt });
}

/** A recipient whose mail is to be accepted. */
export type AcceptedRecipient = Pick<Mail, 'email' | 'suppression' | 'bypass'>;

/** The fields that all recipients of one call share. */
export interface SharedQuestion
  extends Pick<Mail, 'category' | 'expiresAt'>,
    Pick<MarketingQuestion, 'topicKey' | 'fromEmail'>,
    Pick<SlotQuestion, 'earlier'> {
  /** Null: at once. */
  readonly scheduledAt: number | null;
}

/** The decisions about mail that is being accepted. */
export interface AcceptDecisions {
  /** One for each recipient, in order. */
  readonly decisions: readonly Decision[];
  /** The slots of the sender. The caller takes one for each accepted mail that leaves now. Undefined if no mail needs a slot. */
  readonly slots: SlotClaim | undefined;
}

const isSent = (decision: Decision): boolean => effectOf(decision).kind === 'sent';

/**
 * Decides on mail that is being accepted in this transaction, for each recipient in order. Mail that is allowed or waits counts
 * against the caps of the following recipients, and mail that leaves now against the slots of its sender.
 */
export async function decideToAccept(
  ctx: JudgeContext & TransactionContext,
  recipients: readonly AcceptedRecipient[],
  { category, expiresAt, topicKey, fromEmail, scheduledAt, earlier }: SharedQuestion,
): Promise<AcceptDecisions> {
  const facts =
    category === 'marketing'
      ? await claimMarketingFacts(ctx, {
          recipients: recipients.map(({ email }) => ({ email })),
          topicKey,
          fromEmail,
        })
      : new Map<string, MarketingFacts>();
  const needsSlots = scheduledAt === null && [...facts.values()].some(({ needsSlot }) => needsSlot === true);
  const slots = needsSlots ? await claimSlots(ctx, { fromEmail, earlier }) : undefined;
  let free = slots?.free ?? Number.POSITIVE_INFINITY;
  const decisions = recipients.map(({ email, suppression, bypass }) => {
    const marketing = factsOfAddress(facts, email);
    const mail = { email, category, suppression, bypass, at: scheduledAt ?? ctx.now, expiresAt };
    let decision = judge(ctx, mail, marketing);
    if (isSent(decision) && free < 1) decision = judge(ctx, mail, { ...marketing, rampUntil: slots?.until });
    else if (isSent(decision)) free -= 1;
    const { kind } = effectOf(decision);
    if (marketing.acceptedAt !== undefined && (kind === 'sent' || kind === 'waits'))
      facts.set(normaliseAddress(email), { ...marketing, acceptedAt: [ctx.now, ...marketing.acceptedAt] });
    return decision;
  });
  return { decisions, slots };
}

/**
 * Decides on a send that is about to be delivered, as of now. Caps were checked when it was accepted. The rules of marketing mail
 * do not apply to a test. `needsSlot`: whether the mail also needs a slot right before its hand-over.
 */
export async function decideToDeliver(
  ctx: JudgeContext,
  send: SendRow,
  suppression: SuppressionRow | undefined,
): Promise<{ readonly decision: Decision; readonly needsSlot: boolean }> {
  const { id: sendId, to_address: email, category, bypass, expires_at: expiresAt } = send;
  const question = { recipients: [{ email }], topicKey: send.topic_key, fromEmail: send.from_email, sendId };
  const hasRules = category === 'marketing' && !send.test;
  const facts = hasRules ? await readMarketingFacts(ctx, question) : new Map<string, MarketingFacts>();
  const marketing = { ...factsOfAddress(facts, email), caps: undefined };
  const decision = judge(ctx, { email, category, suppression, bypass, at: ctx.now, expiresAt }, marketing);
  return { decision, needsSlot: marketing.needsSlot === true && !ctx.sandbox };
}

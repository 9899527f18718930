// Reads the facts that decide on marketing mail: the facts that other plugins contribute, and how much mail was accepted for the
// address. Other mail reads nothing here. Called when mail is accepted or delivered, and by `ctx.services.mailDecisions`.
import { normaliseAddress, type ReadContext, type TransactionContext, tenantRows } from '../../../core/index.ts';
import { listAcceptedMarketing } from '../store.ts';
import { cappedAddresses } from '../tables.ts';
import type { MarketingFacts } from './decide.ts';

/** A recipient of marketing mail. */
export interface MarketingRecipient {
  readonly email: string;
  /** The attributes of its contact, if the caller knows them. (Default: looked up by the address) */
  readonly attributes?: Readonly<Record<string, unknown>> | undefined;
}

/** The mail in question. */
export interface MarketingQuestion {
  readonly recipients: readonly MarketingRecipient[];
  /** The topic of the mail; null if it has none. */
  readonly topicKey: string | null;
  /** The address that the mail comes from. */
  readonly fromEmail: string;
  /** The accepted mail that is about to be delivered. (Default: the mail is not accepted yet) */
  readonly sendId?: string;
}

/** An accepted marketing mail, and the address that it comes from. */
export interface LeavingMail {
  readonly sendId: string;
  readonly fromEmail: string;
}

/** Mail that is being accepted and would leave now. */
export interface SlotQuestion {
  readonly fromEmail: string;
  /**
   * The sends that the caller has accepted before this time, in milliseconds, and that were not handed over. A slot is reserved for each
   * of them that lacks one. (Default: none)
   */
  readonly earlier?: ((before: number) => Promise<readonly string[]>) | undefined;
}

/** The slots of a sender, locked until the transaction ends. */
export interface SlotClaim {
  /** The number of mails that may leave now. */
  readonly free: number;
  /** The time at which further mails may leave, in milliseconds. */
  readonly until: number;
  /** Takes a slot for each of these sends, at most `free`. */
  take(sendIds: readonly string[]): Promise<void>;
}

/** The facts that one plugin knows, by normalised address. An address that is left out has no facts. */
export type MarketingFactsByAddress = ReadonlyMap<string, Omit<MarketingFacts, 'acceptedAt'>>;

/** An entry of `email.marketing_facts`: the facts that a plugin knows about recipients of marketing mail. */
export interface MarketingFactsSource {
  /**
   * Called when marketing mail is accepted, and again when it is delivered. Reads only the database; `ctx.trx` is on the side of
   * the mail. If two sources contribute the same fact, the later source counts.
   */
  factsOf(ctx: ReadContext, question: MarketingQuestion): Promise<MarketingFactsByAddress>;
  /**
   * Called when mail is accepted that may leave now, if its facts have `needsSlot`. Locks the slots of the sender. Returns undefined if
   * the sender has slots for all mail. (Default: undefined)
   */
  claimSlots?(ctx: TransactionContext, question: SlotQuestion): Promise<SlotClaim | undefined>;
  /**
   * Called right before the hand-over of a mail whose facts have `needsSlot`. If the mail has no slot of today, takes a free slot in this
   * transaction. A mail keeps its slot if its hand-over is tried again. Returns the time until which the mail has to wait, in milliseconds;
   * undefined if it may leave. (Default: there are slots for all mail)
   */
  takeSlot?(ctx: TransactionContext, mail: LeavingMail): Promise<number | undefined>;
  /** Called when an accepted marketing mail ends without a hand-over. Releases the slot of the mail. (Default: mails have no slots) */
  freeSlot?(ctx: TransactionContext, mail: LeavingMail): Promise<void>;
}

declare module '../../../core/contract/open.ts' {
  interface ExtensionPoints {
    /**
     * The facts that plugins know about recipients of marketing mail: their hours and caps, their topics, a hold on the sender.
     */
    'email.marketing_facts': MarketingFactsSource;
  }
}

const cappedRows = tenantRows(cappedAddresses);

/** The facts that the composed plugins know about the recipients, by normalised address. Does not count earlier mail for caps. */
export async function readMarketingFacts(
  ctx: ReadContext,
  question: MarketingQuestion,
): Promise<Map<string, MarketingFacts>> {
  const merged = new Map<string, MarketingFacts>();
  for (const source of ctx.ports.contributions('email.marketing_facts').values())
    for (const [email, facts] of await source.factsOf(ctx, question))
      merged.set(email, { ...merged.get(email), ...facts });
  return merged;
}

/** Claims the slots of a sender. Undefined if it has slots for all mail. */
export async function claimSlots(ctx: TransactionContext, question: SlotQuestion): Promise<SlotClaim | undefined> {
  for (const source of ctx.ports.contributions('email.marketing_facts').values()) {
    const claim = await source.claimSlots?.(ctx, question);
    if (claim !== undefined) return claim;
  }
  return undefined;
}

/** Takes a slot for a mail that is about to be handed over. Returns the time until which it has to wait; undefined if it may leave. */
export async function takeSlots(ctx: TransactionContext, mail: LeavingMail): Promise<number | undefined> {
  for (const source of ctx.ports.contributions('email.marketing_facts').values()) {
    const until = await source.takeSlot?.(ctx, mail);
    if (until !== undefined) return until;
  }
  return undefined;
}

/** Releases the slot of a mail that will not be handed over. */
export async function freeSlots(ctx: TransactionContext, mail: LeavingMail): Promise<void> {
  for (const source of ctx.ports.contributions('email.marketing_facts').values()) await source.freeSlot?.(ctx, mail);
}

/** Adds the times when earlier mail was accepted, for the addresses with caps. */
async function withAccepted(
  { trx, now }: ReadContext,
  facts: ReadonlyMap<string, MarketingFacts>,
): Promise<Map<string, MarketingFacts>> {
  const capped = cappedIn(facts);
  if (capped.length === 0) return new Map(facts);
  const windows = capped.flatMap((email) => facts.get(email)?.caps?.map(({ windowMs }) => windowMs) ?? []);
  const accepted = await listAcceptedMarketing(trx, capped, now - Math.max(...windows));
  return new Map(
    [...facts].map(([email, ownFacts]) => [email, { ...ownFacts, acceptedAt: accepted.get(email) ?? [] }]),
  );
}

const cappedIn = (facts: ReadonlyMap<string, MarketingFacts>): string[] =>
  [...facts].flatMap(([email, { caps = [] }]) => (caps.length > 0 ? [email] : [])).sort();

/** Reads all facts without locks. Mail that is accepted at the same moment may not be counted. */
export const readFactsWithCaps = async (ctx: ReadContext, question: MarketingQuestion) =>
  withAccepted(ctx, await readMarketingFacts(ctx, question));

/**
 * Reads all facts, for accepting mail in this transaction. Locks addresses with caps until the transaction ends, so that two
 * transactions cannot both use the last mail of a cap. The caller adds the mail that it accepts itself.
 */
export async function claimMarketingFacts(
  ctx: ReadContext,
  question: MarketingQuestion,
): Promise<Map<string, MarketingFacts>> {
  const facts = await readMarketingFacts(ctx, question);
  const rows = cappedIn(facts).map((address) => ({ address, asked_at: ctx.now }));
  await cappedRows.upsertAndLock(ctx.trx, rows, ['address']);
  return withAccepted(ctx, facts);
}

/** The facts of one address; none if no plugin knows the address. */
export const factsOfAddress = (facts: ReadonlyMap<string, MarketingFacts>, email: string): MarketingFacts =>
  facts.get(normaliseAddress(email)) ?? {};

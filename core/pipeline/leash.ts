// Enforces the leash of a key: its tools, the recipients of its mail, and its usage. Called by execute.ts for every call of a
// leashed key. Replays do not count, because they end earlier. Refused calls and dry runs do not count, because their transaction
// is rolled back.
import type { ReadContext } from '../contract/context/context.ts';
import type { Operation } from '../contract/declaration/operation.ts';
import type { OperationInput } from '../contract/declaration/operation-spec.ts';
import type { Leash } from '../contract/values/leash.ts';
import { domainNotAllowed, limitExceeded, toolNotAllowed, tooManyRecipients } from './leash-refusals.ts';
import { findUsed, lockUsed, storeUsed } from './leash-rows.ts';
import {
  addUsage,
  freeAt,
  type LeashLimit,
  type LimitState,
  limitsOf,
  readUsage,
  stateOf,
  writeUsage,
} from './leash-windows.ts';

/** The parsed leashes, by their stored text: each call reads its key, and most calls come from few keys. */
const parsed = new Map<string, Leash>();
const maxParsed = 1_000;

/** The leash in its stored text; undefined for a key without a leash. */
export function storedLeash(text: string | null): Leash | undefined {
  if (text === null) return undefined;
  let leash = parsed.get(text);
  if (leash === undefined) {
    leash = JSON.parse(text) as Leash;
    if (parsed.size >= maxParsed) parsed.clear();
    parsed.set(text, leash);
  }
  return leash;
}

/** Whether the leash has ended, and the key with it. */
export const leashEnded = (leash: Leash | undefined, now: number): boolean =>
  leash?.expiresAt !== undefined && Date.parse(leash.expiresAt) <= now;

/** Whether a key with this leash may call the operation. */
export const leashAllows = ({ tools }: Leash, { tool }: Operation): boolean =>
  tools === undefined || (tool !== undefined && tools.includes(tool.name));

/** Checks the tool of a call. @throws leash_exceeded if the leash lists tools, and the tool of this operation is not among them */
export function assertTool(leash: Leash | undefined, operation: Operation): void {
  if (leash !== undefined && !leashAllows(leash, operation)) throw toolNotAllowed(leash, operation);
}

/** Whether the call has to be counted, so that it waits for other calls of its key. */
export const mustBeCounted = ({ operation, admission: { leash, sandbox } }: CountableCall): boolean =>
  leash !== undefined &&
  !sandbox &&
  (leash.creditsPerDay !== undefined || (operation.leash !== undefined && limitsOf(leash).length > 0));

interface CountableCall {
  readonly operation: Operation;
  readonly admission: { readonly leash?: Leash | undefined; readonly sandbox: boolean };
}

/** A call of a leashed key, with the amounts that its transaction counts. */
export interface LeashedCall {
  readonly leash: Leash;
  /** The id of the counter: the id of the key, or the counter that several keys share. */
  readonly counter: string;
  /** The number of recipients that were counted for the call. */
  readonly recipients: number;
  /** Whether the call must wait for a decision, because it has more recipients than the leash allows without a decision. */
  readonly mustWait: boolean;
  /** @throws leash_exceeded if the credits do not fit */
  checkCredits(credits: number): void;
  /** Counts credits, negative if a part of the call was rolled back. */
  addCredits(credits: number): void;
  /** Stores the amounts that the call has counted, with the next flush. */
  store(): void;
}

/** The parts of a call that its leash checks. */
export interface CallToCount {
  readonly operation: Operation;
  readonly input: OperationInput;
  readonly leash: Leash;
  readonly counter: string;
  /** Reads in the transaction that counts. */
  readonly reading: ReadContext;
  /** Whether members have approved the call, so that it need not wait for them again. */
  readonly isApproved: boolean;
  /** Whether a plugin that can hold calls is composed. */
  readonly canBeHeld: boolean;
}

/** Whether the call must wait for a decision, because of its number of recipients. @throws leash_exceeded if it cannot wait */
function mustWait(call: CallToCount, recipients: number): boolean {
  const { operation, leash, isApproved, canBeHeld } = call;
  const limit = leash.holdAbove?.recipients;
  if (limit === undefined || recipients <= limit) return false;
  const canWait = operation.leash?.canWait === true;
  if (canWait && isApproved) return false;
  if (canWait && canBeHeld) return true;
  throw tooManyRecipients(limit, recipients);
}

const doNothing = (): void => undefined;

/**
 * Checks the call against the leash and counts its recipients. Call it before the handler: the lock on the counter then comes
 * before every row lock of the call, so that calls of one key cannot wait for each other in a circle.
 * @throws leash_exceeded
 */
export async function countCall(call: CallToCount): Promise<LeashedCall> {
  const { operation, input, leash, counter, reading } = call;
  const { trx, now, sandbox } = reading;
  const declared = operation.leash;
  const recipients = declared === undefined ? 0 : await declared.recipients(reading, input as never);
  const domains = leash.recipientDomains;
  const disallowedDomain =
    domains === undefined ? undefined : await declared?.disallowedRecipient?.(reading, input as never, domains);
  if (domains !== undefined && disallowedDomain !== undefined) throw domainNotAllowed(domains, disallowedDomain);
  const base = { leash, counter, recipients, mustWait: mustWait(call, recipients) };
  const limits = sandbox ? [] : limitsOf(leash).filter(([name]) => name === 'creditsPerDay' || recipients > 0);
  if (limits.length === 0) return { ...base, checkCredits: doNothing, addCredits: doNothing, store: doNothing };

  // A call that can never fit is refused without the lock.
  for (const [name, limit] of limits)
    if (name !== 'creditsPerDay' && recipients > limit) throw limitExceeded({ name, limit, amount: recipients });
  const usage = readUsage(await lockUsed(trx, counter, now), now);
  const check = (name: LeashLimit, limit: number, amount: number): void => {
    const { left } = stateOf(usage, name, limit);
    if (amount > left)
      throw limitExceeded({ name, limit, amount, left, freeAt: freeAt(usage, name, limit, amount, now) });
  };
  for (const [name, limit] of limits) if (name !== 'creditsPerDay') check(name, limit, recipients);
  addUsage(usage, 'sendsPerHour', recipients, now);
  addUsage(usage, 'recipientsPerDay', recipients, now);
  let hasChanged = recipients > 0;
  return {
    ...base,
    checkCredits(credits) {
      const { creditsPerDay } = leash;
      if (creditsPerDay !== undefined) check('creditsPerDay', creditsPerDay, credits);
    },
    addCredits(credits) {
      addUsage(usage, 'creditsPerDay', credits, now);
      hasChanged = true;
    },
    store() {
      if (hasChanged) storeUsed(trx, counter, writeUsage(usage), now);
    },
  };
}

/**
 * Refuses credits that would exceed the leash. Called before paid work outside, which costs money even if its credits are refused
 * later. Reads without a lock: the transaction still counts.
 * @throws leash_exceeded
 */
export async function assertCreditsLeft(
  { trx, now, sandbox }: Pick<ReadContext, 'trx' | 'now' | 'sandbox'>,
  { leash: { creditsPerDay: limit }, counter }: Pick<LeashedCall, 'leash' | 'counter'>,
  amount: number,
): Promise<void> {
  if (limit === undefined || sandbox || amount <= 0) return;
  const usage = readUsage(await findUsed(trx, counter), now);
  const name = 'creditsPerDay';
  const { left } = stateOf(usage, name, limit);
  if (amount > left)
    throw limitExceeded({ name, limit, amount, left, freeAt: freeAt(usage, name, limit, amount, now) });
}

/** The remaining amount of each limit, by its name. Read without a lock. */
export async function leashState(
  { trx, now }: Pick<ReadContext, 'trx' | 'now'>,
  { leash, counter }: Pick<LeashedCall, 'leash' | 'counter'>,
): Promise<ReadonlyMap<LeashLimit, LimitState>> {
  const limits = limitsOf(leash);
  const usage = readUsage(limits.length === 0 ? undefined : await findUsed(trx, counter), now);
  return new Map(limits.map(([name, limit]) => [name, stateOf(usage, name, limit)]));
}

// Accepts the mails of a broadcast that are due, a few in each transaction: a recipient's row and its accepted send commit together, so
// each recipient has exactly one send however often the process is killed. The row of the broadcast is locked meanwhile.
import { filledList, type TransactionContext } from '../../../core/index.ts';
import { GroupSize } from '../../../core/unstable.ts';
import type { KnownContact } from '../../contacts/index.ts';
import type { BulkResult } from '../../email/index.ts';
import { confirmedAmong } from '../audience.ts';
import { type BroadcastRow, broadcastRows } from '../broadcasts.ts';
import { senderFaults } from '../checks/faults.ts';
import { countTurns, endTurns, turnOf } from '../conversions/turns.ts';
import { awaitsDecision, releaseNext } from '../experiments/store.ts';
import { mailOf, sendersOf } from '../experiments/variants.ts';
import { type FrozenBroadcast, frozenOf } from '../frozen.ts';
import { headersOf, utmOf } from '../mail.ts';
import { type Exclusion, exclusions } from '../schema.ts';
import { domainOf, type RecipientRow, recipientRows } from '../tables.ts';
import { addCounts, type CountChanges } from '../tallies.ts';
import { auditChange, changeBroadcast, emitChange, heldReason, pause } from '../transitions.ts';
import { createVariables } from '../variables.ts';
import { paceAllows, paceNext } from './pace.ts';
import type { NextStep, ReadingStep } from './step.ts';

/** The maximum number of mails of a broadcast that are accepted and not handed over yet. */
export const maxAhead = 1_000;
/** The number of mails that one transaction accepts. On SQLite, a login code waits for at most one such transaction. */
export const createBatchSize = (): GroupSize => new GroupSize({ min: 5, max: 50, maxBlockMs: 6 });
/** The time to wait for the delivery of accepted mails, in milliseconds. */
const drainMs = 500;
/** The delay in place of `drainMs` if the last mails have waited for long, because their servers refuse them for now. */
const slowDrainMs = 30_000;
const isSlowAfterMs = 120_000;

/** A recipient who may still get the mail. */
interface Addressee {
  readonly row: RecipientRow;
  readonly contact: KnownContact;
  /** The normalised address, which may be newer than the stored one. */
  readonly address: string;
}

type Decided = Addressee | { readonly row: RecipientRow; readonly exclusion: Exclusion };

/** Counts the mails that are accepted and not handed over. At most `maxAhead` rows exist. */
async function countAhead({ trx }: TransactionContext, broadcastId: string): Promise<number> {
  const row = await trx.db
    .selectFrom('broadcast_recipients')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('broadcast_id', '=', broadcastId)
    .where('state', 'in', ['queued', 'parked'])
    .executeTakeFirst();
  return Number(row?.total ?? 0);
}

/** The sends that were accepted before a time and not handed over: while the broadcast was paused, or until the day has ended. */
const acceptedBefore =
  ({ trx }: TransactionContext, broadcastId: string) =>
  async (before: number): Promise<string[]> => {
    const rows = await trx.db
      .selectFrom('broadcast_recipients')
      .select('send_id')
      .where('broadcast_id', '=', broadcastId)
      .where('state', 'in', ['queued', 'parked'])
      .where('at', '<', before)
      .execute();
    return rows.flatMap(({ send_id: id }) => id ?? []);
  };

/**
 * The next waiting recipients, the earliest due first, including recipients who are not due yet. Locked, because an erasure may exclude
 * them.
 */
async function nextWaiting({ trx }: TransactionContext, broadcastId: string, limit: number): Promise<RecipientRow[]> {
  const rows = await trx.db
    .selectFrom('broadcast_recipients')
    .selectAll()
    .where('broadcast_id', '=', broadcastId)
    .where('state', '=', 'waiting')
    .orderBy('due_at')
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .execute();
  return rows.map(recipientRows.decode);
}

/** The addresses among these that another recipient of the broadcast has. */
async function takenAmong({ trx }: TransactionContext, broadcastId: string, addresses: readonly string[]) {
  if (addresses.length === 0) return new Set<string>();
  const rows = await trx.db
    .selectFrom('broadcast_recipients')
    .select('address')
    .where('broadcast_id', '=', broadcastId)
    .where('address', 'in', filledList(addresses))
    .execute();
  return new Set(rows.flatMap(({ address }) => address ?? []));
}

/** The addresses among these that have agreed to the topic of the broadcast. */
async function agreedAmong(ctx: TransactionContext, { template }: FrozenBroadcast, addresses: readonly string[]) {
  if (template.topicKey === null || addresses.length === 0) return new Set<string>();
  const subscriptions = await ctx.services.topics.subscriptionsOf(ctx.trx, template.topicKey, addresses);
  const isOptIn = ctx.workspace.settings.consent !== 'soft_opt_in';
  return new Set(
    addresses.filter((address) => {
      const subscription = subscriptions?.get(address);
      return subscription?.subscribed === true && (!isOptIn || subscription.source !== null);
    }),
  );
}

/**
 * Finds the current contact of each recipient, because contacts may have been merged or erased, or have a new address since the audience
 * was stored.
 */
async function decideNow(ctx: TransactionContext, rows: readonly RecipientRow[], frozen: FrozenBroadcast) {
  const { audience } = frozen;
  const { contacts } = ctx.services;
  const ids = rows.flatMap(({ contact_id: id }) => id ?? []);
  const owners = await contacts.byEmails(
    ctx.trx,
    rows.flatMap(({ address }) => address ?? []),
  );
  // Most addresses still have their owner, who has been read already.
  const missingIds = rows.flatMap(({ address, contact_id: id }) => (owners.has(address ?? '') ? [] : (id ?? [])));
  const contactsById = new Map((await contacts.read(ctx.trx, missingIds)).map((contact) => [contact.id, contact]));
  const people = [...new Set([...ids, ...[...owners.values()].map(({ id }) => id)])];
  const members = await confirmedAmong(ctx.trx, audience, people);
  const newAddresses = rows.flatMap(({ address, contact_id: id }) =>
    address !== null && owners.has(address) ? [] : (contactsById.get(id ?? '')?.email ?? []),
  );
  const takenAddresses = await takenAmong(ctx, rows[0]?.broadcast_id ?? '', newAddresses);
  const agreed = await agreedAmong(ctx, frozen, newAddresses);
  return rows.map((row): Decided => {
    const owner = owners.get(row.address ?? '');
    const contact = owner ?? contactsById.get(row.contact_id ?? '');
    if (contact === undefined) return { row, exclusion: 'erased' };
    const address = contact.email;
    if (address === null) return { row, exclusion: 'no_address' };
    if (owner === undefined && takenAddresses.has(address)) return { row, exclusion: 'duplicate' };
    takenAddresses.add(address);
    // A contact who has left the list in the meantime gets no mail.
    const isMember = members.has(contact.id) || members.has(row.contact_id ?? '');
    // A subscription belongs to an address, so a new address needs its own.
    const hasAgreed = isMember || (row.basis === 'topic' && (address === row.address || agreed.has(address)));
    return hasAgreed ? { row, contact, address } : { row, exclusion: 'no_consent' };
  });
}

const isAddressee = (decided: Decided): decided is Addressee => 'contact' in decided;

/** The results of a batch. */
interface Tally {
  readonly counts: CountChanges;
  readonly turn: ReturnType<typeof turnOf>;
  accepted: number;
  pausedBy: 'budget' | 'reputation' | undefined;
  /** The time at which the ramp of the sender's domain allows more mail; undefined if it allowed the whole batch. */
  rampUntil: number | undefined;
}

const exclusionCodes: ReadonlySet<string> = new Set(exclusions);
const isExclusion = (code: string): code is Exclusion => exclusionCodes.has(code);

function exclude(ctx: TransactionContext, tally: Tally, row: RecipientRow, exclusion: Exclusion): void {
  const { counts } = tally;
  const state = { state: 'excluded', reason: exclusion, due_at: null, at: ctx.now, ...tally.turn } as const;
  recipientRows.deferUpdate(ctx.trx, row.id, state);
  counts[`excluded.${exclusion}`] = (counts[`excluded.${exclusion}`] ?? 0) + 1;
  counts.waiting = (counts.waiting ?? 0) - 1;
}

function settle(ctx: TransactionContext, tally: Tally, { row, address }: Addressee, outcome: BulkResult): void {
  const { counts } = tally;
  switch (outcome.kind) {
    case 'accepted':
      recipientRows.deferUpdate(ctx.trx, row.id, {
        state: 'queued',
        send_id: outcome.sendId,
        at: ctx.now,
        ...tally.turn,
        domain: domainOf(address),
        ...(address === row.address ? {} : { address }),
      });
      counts.accepted = (counts.accepted ?? 0) + 1;
      counts.waiting = (counts.waiting ?? 0) - 1;
      tally.accepted += 1;
      return;
    case 'waits':
      if (outcome.code === 'ramp') tally.rampUntil = outcome.until;
      if (outcome.code === 'reputation_hold') tally.pausedBy ??= 'reputation';
      else recipientRows.deferUpdate(ctx.trx, row.id, { due_at: outcome.until });
      return;
    case 'refused':
      if (isExclusion(outcome.code)) {
        exclude(ctx, tally, row, outcome.code);
        return;
      }
      recipientRows.deferUpdate(ctx.trx, row.id, {
        ...{ state: 'failed', reason: outcome.code, due_at: null, at: ctx.now },
        ...tally.turn,
      });
      counts.failed = (counts.failed ?? 0) + 1;
      counts.waiting = (counts.waiting ?? 0) - 1;
      return;
    default:
      tally.pausedBy ??= 'budget';
  }
}

const localeOf = ({ attributes }: KnownContact): string | undefined => {
  const { locale } = attributes;
  return typeof locale === 'string' && locale.length <= 35 ? locale : undefined;
};

/** Accepts the mails of recipients who get the same variant. */
async function acceptVariant(
  ctx: TransactionContext,
  row: BroadcastRow,
  variant: string | null,
  addressees: readonly Addressee[],
  tally: Tally,
): Promise<void> {
  const { template, from, variables } = mailOf(row, variant);
  const render = createVariables(ctx, variables, ctx.now);
  const outcomes = await ctx.services.bulkMail.accept(ctx, {
    broadcastId: row.id,
    template,
    from: from ?? ctx.workspace.defaultFrom,
    replyTo: row.reply_to?.email,
    headers: headersOf(ctx, row),
    utm: utmOf(row),
    earlier: acceptedBefore(ctx, row.id),
    recipients: addressees.map(({ contact, address }) => ({
      email: contact.addressAsGiven ?? address,
      locale: localeOf(contact),
      variables: () => render(contact),
    })),
  });
  for (const [index, addressee] of addressees.entries()) {
    const outcome = outcomes[index];
    if (outcome !== undefined) settle(ctx, tally, addressee, outcome);
  }
}

async function acceptBatch(ctx: TransactionContext, row: BroadcastRow, due: readonly RecipientRow[]): Promise<Tally> {
  const frozen = frozenOf(row);
  if (frozen === null) throw new Error(`The broadcast ${row.id} was never scheduled.`);
  const tally: Tally = {
    counts: {},
    turn: turnOf(row, ctx.now),
    accepted: 0,
    pausedBy: undefined,
    rampUntil: undefined,
  };
  const decided = await decideNow(ctx, due, frozen);
  for (const one of decided) if (!isAddressee(one)) exclude(ctx, tally, one.row, one.exclusion);
  const addressees = decided.filter(isAddressee);
  for (const variant of new Set(addressees.map((one) => one.row.variant))) {
    const part = addressees.filter((one) => one.row.variant === variant);
    await acceptVariant(ctx, row, variant, part, tally);
  }
  addCounts(ctx, row.id, tally.counts);
  // If the batch was stopped in the middle, its last recipient still waits.
  await countTurns(ctx, row, -(tally.counts.waiting ?? 0), tally.pausedBy === undefined ? due.at(-1) : undefined);
  return tally;
}

/** Called if no recipient waits. Once the last accepted mail was handed over, the broadcast is sent, or its experiment is decided. */
async function finish(ctx: TransactionContext, row: BroadcastRow, ahead: number): Promise<NextStep | ReadingStep> {
  const isSample = await awaitsDecision(ctx, row);
  if (await endTurns(ctx, row, isSample)) return 0;
  if (ahead > 0) {
    const isSlow = ctx.now - (row.accepted_at ?? ctx.now) > isSlowAfterMs;
    return ctx.now + (isSlow ? slowDrainMs : drainMs);
  }
  if (isSample) return 'decide';
  const sent = await changeBroadcast(ctx, row, { status: 'sent', finished_at: ctx.now, next_at: null });
  await emitChange(ctx, sent, 'sent');
  auditChange(ctx, sent, 'finish');
  return row.experiment?.status === 'sampling' ? 0 : null;
}

const pauseReasons = {
  budget: 'The monthly budget of sends is used up. Resume after it has been raised or renewed.',
  reputation: heldReason,
} as const;

/** Accepts the next mails that are due. The row is locked and sending. Returns the time of the next step. */
export async function acceptStep(
  ctx: TransactionContext,
  row: BroadcastRow,
  batchSize: GroupSize,
): Promise<NextStep | ReadingStep> {
  const { now } = ctx;
  const ahead = await countAhead(ctx, row.id);
  const waiting = await nextWaiting(ctx, row.id, batchSize.current);
  const [first] = waiting;
  const isNobodyDue = first === undefined || (first.due_at !== null && first.due_at > now);
  if (isNobodyDue && (await releaseNext(ctx, row))) return 0;
  if (first === undefined) return finish(ctx, row, ahead);
  if (first.due_at !== null && first.due_at > now) return first.due_at;
  if (ahead >= maxAhead) return now + drainMs;
  const pace = paceAllows(row, now);
  if (pace.count === 0) return paceNext(row, now);
  // The domain of a sender may have been removed since the broadcast was scheduled.
  const [refused] = sendersOf(row).flatMap((from) => senderFaults(ctx, from));
  if (refused !== undefined) {
    const error = `${refused.message} Resume after the sender may send again, or cancel.`;
    auditChange(ctx, await pause(ctx, row, 'error', error), 'pause', 'error');
    return null;
  }
  const maxCount = Math.min(maxAhead - ahead, pace.count);
  const due = waiting.filter(({ due_at: at }) => at === null || at <= now).slice(0, maxCount);
  const { accepted, pausedBy, rampUntil } = await batchSize.measure(() => acceptBatch(ctx, row, due));
  ctx.ports.phase('broadcasts.accepting', row.id);
  const after = await broadcastRows.change(ctx.trx, row, {
    ...(accepted > 0 ? { accepted_at: now } : {}),
    pace_from: pace.from,
    pace_used: pace.used + accepted,
  });
  // If the ramp allows no mail now, all other recipients have to wait as well.
  if (pausedBy === undefined) return accepted === 0 && rampUntil !== undefined ? rampUntil : 0;
  auditChange(ctx, await pause(ctx, after, pausedBy, pauseReasons[pausedBy]), 'pause', pausedBy);
  return null;
}

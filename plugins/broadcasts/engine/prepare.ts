// Stores the recipients of a broadcast. Each transaction stores a range of contacts and the position that it reached; the range is read
// before the transaction. After a kill, it continues after the last stored contact.
import {
  filledList,
  type JobContext,
  normaliseAddress,
  type ReadContext,
  type TransactionContext,
  type Workspace,
} from '../../../core/index.ts';
import type { TopicsService } from '../../topics/index.ts';
import { type AudienceContact, type AudienceRange, readRange } from '../audience.ts';
import { type BroadcastRow, broadcastRows } from '../broadcasts.ts';
import { undecidedDue } from '../conversions/turns.ts';
import { draw } from '../draw.ts';
import { assignmentOf } from '../experiments/assignment.ts';
import { frozenOf } from '../frozen.ts';
import type { Exclusion } from '../schema.ts';
import { isLocal, momentFor } from '../send-time.ts';
import type { ConsentBasis } from '../tables.ts';
import { addCounts, type CountChanges, countsOf } from '../tallies.ts';
import { auditChange, changeBroadcast, pause } from '../transitions.ts';
import type { NextStep } from './step.ts';

/** A contact of the audience, with the decision about it. */
interface DecidedContact {
  readonly contact: AudienceContact;
  readonly basis: ConsentBasis;
  readonly exclusion: Exclusion | undefined;
}

/** A range of the audience, decided on. */
export interface DecidedRange extends Pick<AudienceRange, 'last'> {
  readonly contacts: readonly DecidedContact[];
}

/** Whether a contact is held out: the same contact in the same broadcast always gets the same answer. */
export function isHeldOut(broadcastId: string, contactId: string, percent: number): boolean {
  return percent > 0 && draw(broadcastId, contactId, 'holdout') < percent / 100;
}

type Subscriptions = Awaited<ReturnType<TopicsService['subscriptionsOf']>>;

/** The reason why the topic or the missing consent of a contact excludes it; undefined if it may be written to. */
function consentFault(
  { email, isMember }: AudienceContact,
  subscriptions: Subscriptions,
  isOptIn: boolean,
): Exclusion | undefined {
  if (subscriptions === undefined) return isMember ? undefined : 'no_consent';
  const subscription = subscriptions.get(normaliseAddress(email ?? ''));
  const isExplicit = subscription !== undefined && subscription.source !== null;
  if (subscription?.subscribed === false) return isExplicit || isMember ? 'topic' : 'no_consent';
  return isMember || isExplicit || !isOptIn ? undefined : 'no_consent';
}

/** Decides on the next contacts of the audience. */
export async function decideRange(ctx: ReadContext, workspace: Workspace, row: BroadcastRow): Promise<DecidedRange> {
  const frozen = frozenOf(row);
  if (frozen === null) throw new Error(`The broadcast ${row.id} was never scheduled.`);
  const { services, trx, now } = ctx;
  const { contacts, last } = await readRange(ctx, frozen.audience, row.reached, isLocal(row));
  const emails = contacts.flatMap(({ email }) => email ?? []);
  if (contacts.length === 0) return { contacts: [], last };
  const stopped = contacts.flatMap(({ email, hasSuppression }) => (hasSuppression && email !== null ? [email] : []));
  const suppressions = await services.suppressions.findAmong(trx, stopped, now);
  const subscriptions =
    row.topic_key === null ? undefined : await services.topics.subscriptionsOf(trx, row.topic_key, emails);
  const isOptIn = workspace.settings.consent !== 'soft_opt_in';
  const exclusionOf = (contact: AudienceContact): Exclusion | undefined => {
    if (contact.isExcluded) return 'audience';
    if (contact.email === null) return 'no_address';
    const suppression = suppressions.get(contact.email);
    if (services.suppressions.decide(suppression, workspace, { category: 'marketing', bypass: false }) !== undefined)
      return 'suppressed';
    const fault = consentFault(contact, subscriptions, isOptIn);
    if (fault !== undefined) return fault;
    return isHeldOut(row.id, contact.id, row.holdout_percent) ? 'holdout' : undefined;
  };
  return {
    last,
    contacts: contacts.map((contact) => ({
      contact,
      basis: contact.isMember ? 'list' : 'topic',
      exclusion: exclusionOf(contact),
    })),
  };
}

/** Contacts whose rows differ only in the contact. */
interface EqualContacts {
  readonly basis: ConsentBasis;
  readonly exclusion: Exclusion | undefined;
  /** Whether the row has the address. Another recipient may have it. */
  readonly hasAddress: boolean;
  readonly state: 'waiting' | 'undecided';
  readonly variant: string | null;
  readonly dueAt: number | null;
  readonly ids: string[];
}

/** The time at which the turn of a contact comes; null if it has no turn, or waits for the decision of an experiment. */
function dueAtOf(
  exclusion: Exclusion | undefined,
  state: 'waiting' | 'undecided',
  moment: () => number,
): number | null {
  if (exclusion === undefined) return state === 'waiting' ? moment() : null;
  if (exclusion !== 'holdout') return null;
  return state === 'waiting' ? moment() : undecidedDue;
}

/**
 * The number of characters of the broadcast's id that the id of a recipient contains. The other characters are from the id of the contact, so a
 * contact has at most one row, and indexes grow at their ends.
 */
const idCharacters = 10;

/**
 * Stores the rows of equal contacts in one statement. It reads the contacts as they are now, so that a contact who was erased in the
 * meantime gets no row. Returns the number of stored rows. Rows whose address was taken in the meantime are left out.
 */
async function insertRows(
  { trx, now }: TransactionContext,
  { id: broadcastId }: BroadcastRow,
  { basis, exclusion, hasAddress, state, variant, dueAt, ids }: EqualContacts,
): Promise<number> {
  const prefix = `brr_${broadcastId.slice(-idCharacters)}`;
  const { numInsertedOrUpdatedRows: stored } = await trx.db
    .insertInto('broadcast_recipients')
    .columns([
      ...([
        'id',
        'broadcast_id',
        'contact_id',
        'address',
        'basis',
        'state',
        'reason',
        'holdout',
        'variant',
        'due_at',
        'at',
      ] as const),
      'created_at',
    ])
    .expression(
      trx.db
        .selectFrom('contacts as person')
        .select(({ fn, val, ref }) => [
          fn<string>('replace', ['person.id', val('con_'), val(prefix)]).as('id'),
          val(broadcastId).as('broadcast_id'),
          'person.id as contact_id',
          (hasAddress ? ref('person.email') : val(null)).as('address'),
          val(basis).as('basis'),
          val(exclusion === undefined ? state : 'excluded').as('state'),
          val(exclusion ?? null).as('reason'),
          val(exclusion === 'holdout' ? 1 : 0).as('holdout'),
          val(exclusion === undefined ? variant : null).as('variant'),
          val(dueAt).as('due_at'),
          val(now).as('at'),
          val(now).as('created_at'),
        ])
        .where('person.id', 'in', filledList(ids)),
    )
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return Number(stored ?? 0);
}

/** Stores equal contacts, and counts them. */
async function storeEqual(
  ctx: TransactionContext,
  row: BroadcastRow,
  equal: EqualContacts,
  counts: CountChanges,
): Promise<void> {
  const stored = await insertRows(ctx, row, equal);
  const name = equal.exclusion === undefined ? 'waiting' : (`excluded.${equal.exclusion}` as const);
  counts[name] = (counts[name] ?? 0) + stored;
  if (stored === equal.ids.length || !equal.hasAddress) return;
  // Two contacts never have the same address at the same time. If the address was taken, an earlier recipient had it before this contact
  // got it.
  const storedRows = await ctx.trx.db
    .selectFrom('broadcast_recipients')
    .select('contact_id')
    .where('broadcast_id', '=', row.id)
    .where('contact_id', 'in', filledList(equal.ids))
    .execute();
  const storedIds = new Set(storedRows.map(({ contact_id: id }) => id));
  const ids = equal.ids.filter((id) => !storedIds.has(id));
  const exclusion = equal.exclusion ?? 'duplicate';
  await storeEqual(ctx, row, { ...equal, exclusion, hasAddress: false, dueAt: null, ids }, counts);
}

/** Stores a range that was decided on outside of this transaction. The row is locked. */
export async function storeContacts(
  ctx: TransactionContext,
  row: BroadcastRow,
  { contacts }: DecidedRange,
): Promise<void> {
  const begins = row.due_at ?? ctx.now;
  const groups = new Map<string, EqualContacts>();
  for (const { contact, basis, exclusion } of contacts) {
    // The variants are drawn after all exclusions.
    const { state, variant } = assignmentOf(row, contact.id);
    const dueAt = dueAtOf(exclusion, state, () => momentFor(row, contact.zone, 'UTC', begins));
    const key = `${basis} ${exclusion} ${state} ${dueAt} ${variant}`;
    const group = groups.get(key) ?? { basis, exclusion, hasAddress: true, state, variant, dueAt, ids: [] };
    group.ids.push(contact.id);
    groups.set(key, group);
  }
  const counts: CountChanges = {};
  for (const equal of groups.values()) await storeEqual(ctx, row, equal, counts);
  addCounts(ctx, row.id, counts);
}

/** The audience is stored: the first mail may leave, unless there are more recipients than the ceiling allows. */
async function endPreparing(ctx: TransactionContext, row: BroadcastRow): Promise<NextStep> {
  const { audience } = (await countsOf(ctx.trx, [row.id]))(row.id);
  const prepared = await changeBroadcast(ctx, row, { prepared_at: ctx.now, reached: null });
  if (row.ceiling !== null && audience > row.ceiling) {
    const error = `The audience has ${audience} contacts, more than the ceiling of ${row.ceiling}. Resume with a higher ceiling, or cancel.`;
    auditChange(ctx, await pause(ctx, prepared, 'ceiling', error), 'pause', 'ceiling');
    return null;
  }
  await changeBroadcast(ctx, prepared, { status: 'sending', pace_from: ctx.now, pace_used: 0 });
  auditChange(ctx, row, 'send');
  return 0;
}

/** Stores the next range of the audience. Returns the broadcast if the next range can follow now, otherwise the time of the next step. */
async function storeRange(ctx: JobContext, row: BroadcastRow): Promise<BroadcastRow | NextStep> {
  const decided = await ctx.read((reading) => decideRange(reading, ctx.workspace, row));
  return ctx.checkpoint(async (tx) => {
    const locked = await broadcastRows.lock(tx.trx, row.id);
    // Another process made the step, or a call has changed the broadcast.
    if (locked?.status !== 'preparing' || locked.reached?.id !== row.reached?.id || locked.prepared_at !== null)
      return 0;
    await storeContacts(tx, locked, decided);
    tx.ports.phase('broadcasts.storing', row.id);
    if (decided.last === null && decided.contacts.length === 0) return endPreparing(tx, locked);
    // The end of the contacts is a step of its own, which sees all stored counts.
    const reached = decided.last ?? lastOf(decided);
    await broadcastRows.update(tx.trx, row.id, { reached });
    return { ...locked, reached };
  });
}

/** Stores the next ranges of the audience, and returns the time of the next step. @param mayGoOn whether there is time for another range */
export async function prepareStep(ctx: JobContext, row: BroadcastRow, mayGoOn: () => boolean): Promise<NextStep> {
  for (let current = row; ; ) {
    ctx.signal.throwIfAborted();
    const next = await storeRange(ctx, current);
    ctx.ports.phase('broadcasts.stored', row.id);
    if (next === null || typeof next === 'number') return next;
    if (!mayGoOn()) return 0;
    current = next;
  }
}

/** The position of the last contact of a range that is not empty. */
function lastOf({ contacts }: DecidedRange) {
  const last = contacts.at(-1)?.contact;
  if (last === undefined) throw new Error('The range is empty.');
  return { createdAt: last.createdAt, id: last.id };
}

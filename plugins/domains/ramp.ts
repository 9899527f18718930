// The ramp of a new sending domain: the maximum number of marketing mails on its first day, which grows on each following day. Days are in
// UTC, and the first day is the first day on which marketing mail leaves. A mail that may leave at once takes its slot in the transaction
// that accepts it. Any other mail, and a mail that did not leave on its day, takes a slot right before its hand-over.
import {
  coreErrors,
  filledList,
  normaliseAddress,
  parseAddress,
  type TransactionContext,
  type WorkspaceHandle,
} from '../../core/index.ts';
import type { LeavingMail, MarketingFacts, MarketingFactsSource, SlotClaim, SlotQuestion } from '../email/index.ts';
import { type DomainRamp, domainRows, rampDayRows, rampSlotRows } from './tables.ts';

const dayMs = 86_400_000;
const dayOf = (at: number): number => at - (at % dayMs);

/** The limits of marketing mail for a new domain. */
export interface NewRamp {
  /** The mails of the first day, at least 1. */
  readonly startPerDay: number;
  /** Each day allows as many mails as the day before, times this number, from 1 to 10. */
  readonly growth: number;
  /** The end of the limit: a date, or a time with its zone. */
  readonly until: string | Date;
}

const refuse = (summary: string): never => {
  throw coreErrors.validation_failed({ summary });
};

const isoPattern = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** Accepts any value, because callers in plain JavaScript may pass anything. @throws validation_failed */
export function checkedRamp(ramp: NewRamp, now: number): DomainRamp {
  const { startPerDay, growth, until: untilInput } = (ramp ?? {}) as Partial<NewRamp>;
  if (!Number.isInteger(startPerDay) || startPerDay === undefined || startPerDay < 1)
    return refuse('ramp.startPerDay: give a whole number of mails, at least 1.');
  if (typeof growth !== 'number' || !(growth >= 1 && growth <= 10))
    return refuse('ramp.growth: give a number from 1 to 10. With 1.5, each day has half as many mails again.');
  const isTime = untilInput instanceof Date || (typeof untilInput === 'string' && isoPattern.test(untilInput));
  const until = isTime ? new Date(untilInput).getTime() : Number.NaN;
  if (!(until > now)) return refuse('ramp.until: give a date or a time in the future, such as 2027-01-31.');
  return { startPerDay, growth, until };
}

/** The number of mails that a day allows. `index`: 0 for the first day. */
export const slotsOf = ({ startPerDay, growth }: DomainRamp, index: number): number =>
  Math.floor(Math.min(startPerDay * growth ** index + 1e-9, Number.MAX_SAFE_INTEGER));

/** The ramp of the domain of an address, unless it has ended. */
async function rampOf(handle: WorkspaceHandle, fromEmail: string, now: number) {
  const domain = parseAddress(fromEmail)?.domain;
  const row = domain === undefined ? undefined : await domainRows.findBy(handle, { domain });
  if (row === undefined || row.ramp === null || row.ramp.until <= now) return undefined;
  return { domain: row.domain, ramp: row.ramp };
}

/** A day of a domain. */
interface RampDay {
  readonly domain: string;
  readonly ramp: DomainRamp;
  readonly today: number;
}

/** The number of slots of this day, and the number of taken slots. */
async function slotsToday(handle: WorkspaceHandle, { domain, ramp, today }: RampDay, lock?: 'update') {
  const { db } = handle;
  const query = db.selectFrom('domain_ramp_days').where('domain', '=', domain).where('taken', '>', 0);
  const first = await query.select(({ fn }) => fn.min('day').as('day')).executeTakeFirst();
  const row = await rampDayRows.findBy(handle, { domain, day: today }, lock);
  const firstDay = first?.day === null || first?.day === undefined ? today : Number(first.day);
  return { slots: slotsOf(ramp, Math.round((today - firstDay) / dayMs)), taken: row?.taken ?? 0 };
}

async function isFullToday(handle: WorkspaceHandle, day: RampDay): Promise<boolean> {
  const { slots, taken } = await slotsToday(handle, day);
  return taken >= slots;
}

/** The time at which a mail without a slot today may leave: on the next day, or at the end of the ramp. */
const nextSlotAt = ({ until }: DomainRamp, today: number): number => Math.min(today + dayMs, until);

/** The slots of today, locked until the transaction ends. */
async function lockSlots({ trx }: TransactionContext, day: RampDay) {
  const { domain, today } = day;
  await rampDayRows.upsertAndLock(trx, [{ domain, day: today, taken: 0 }], ['domain', 'day']);
  // Read with a lock: without one, a database may show the row as it was when the transaction began.
  return slotsToday(trx, day, 'update');
}

/** Changes the number of taken slots of a day. Not deferred, because the same transaction may read the slots again. */
async function addTaken({ db }: WorkspaceHandle, { domain, today }: RampDay, added: number): Promise<void> {
  await db
    .updateTable('domain_ramp_days')
    .set((row) => ({ taken: row('taken', '+', added) }))
    .where('domain', '=', domain)
    .where('day', '=', today)
    .execute();
}

/** The number of these mails that have a slot today. */
async function countSlots({ db }: WorkspaceHandle, today: number, sendIds: readonly string[]): Promise<number> {
  if (sendIds.length === 0) return 0;
  const row = await db
    .selectFrom('domain_ramp_slots')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('send_id', 'in', filledList(sendIds))
    .where('day', '=', today)
    .executeTakeFirst();
  return Number(row?.total ?? 0);
}

/** Claims slots for mail that is accepted now. */
async function claimSlots(
  ctx: TransactionContext,
  { fromEmail, earlier }: SlotQuestion,
): Promise<SlotClaim | undefined> {
  const { trx, now } = ctx;
  const domainRamp = await rampOf(trx, fromEmail, now);
  if (domainRamp === undefined) return undefined;
  const day: RampDay = { ...domainRamp, today: dayOf(now) };
  const { slots, taken } = await lockSlots(ctx, day);
  const before = (await earlier?.(day.today)) ?? [];
  const first = before.length - (await countSlots(trx, day.today, before));
  return {
    free: Math.max(0, slots - taken - first),
    until: nextSlotAt(day.ramp, day.today),
    async take(sendIds) {
      if (sendIds.length === 0) return;
      await addTaken(trx, day, sendIds.length);
      for (const id of sendIds) rampSlotRows.deferInsert(trx, { send_id: id, day: day.today });
    },
  };
}

/** Takes a slot of today for a mail, unless it has one. */
async function takeSlot(ctx: TransactionContext, { sendId, fromEmail }: LeavingMail): Promise<number | undefined> {
  const { trx, now } = ctx;
  const domainRamp = await rampOf(trx, fromEmail, now);
  if (domainRamp === undefined) return undefined;
  const day: RampDay = { ...domainRamp, today: dayOf(now) };
  if ((await rampSlotRows.find(trx, sendId))?.day === day.today) return undefined;
  const { slots, taken } = await lockSlots(ctx, day);
  if (taken >= slots) return nextSlotAt(day.ramp, day.today);
  await addTaken(trx, day, 1);
  await rampSlotRows.upsert(trx, { send_id: sendId, day: day.today }, ['send_id'], { day: day.today });
  return undefined;
}

/** Releases the slot of a mail that will not leave today. */
async function freeSlot({ trx, now }: TransactionContext, { sendId, fromEmail }: LeavingMail): Promise<void> {
  const domainRamp = await rampOf(trx, fromEmail, now);
  if (domainRamp === undefined) return;
  const day: RampDay = { ...domainRamp, today: dayOf(now) };
  const isFreed = await rampSlotRows.remove(trx, sendId, { day: day.today });
  if (isFreed) await addTaken(trx, day, -1);
}

/** Removes the days of a domain that is deleted. */
export async function removeRampDays(handle: WorkspaceHandle, domain: string): Promise<void> {
  await handle.db.deleteFrom('domain_ramp_days').where('domain', '=', domain).execute();
}

/** Contributes ramps to the decision about marketing mail. */
export const createRampFacts = (): MarketingFactsSource => ({
  async factsOf({ trx, now, sandbox }, { recipients, fromEmail, sendId }) {
    const facts = new Map<string, MarketingFacts>();
    if (sandbox || recipients.length === 0) return facts;
    const domainRamp = await rampOf(trx, fromEmail, now);
    if (domainRamp === undefined) return facts;
    const day: RampDay = { ...domainRamp, today: dayOf(now) };
    const hasSlot = sendId !== undefined && (await countSlots(trx, day.today, [sendId])) > 0;
    const isFull = !hasSlot && (await isFullToday(trx, day));
    const rampUntil = isFull ? nextSlotAt(day.ramp, day.today) : undefined;
    for (const { email } of recipients)
      facts.set(normaliseAddress(email), { needsSlot: true, ...(rampUntil === undefined ? {} : { rampUntil }) });
    return facts;
  },
  claimSlots,
  takeSlot,
  freeSlot,
});

// Detects a process whose clock differs from the database's. Leases, schedules and limits compare times that several
// processes wrote. Called when a process opens the database; reads one value. A SQLite file is on this machine, so its
// clock is the same.
import { sql } from 'kysely';
import type { Logger } from '../contract/ports/platform.ts';
import type { Database } from './database.ts';
import { unscoped } from './scope.ts';

const unscopedReason = unscoped('the clock belongs to no workspace');

/**
 * Half of the difference that two processes may have: if two processes differ by more, at least one of them differs by more
 * than this from the database.
 */
const toleratedMs = 15_000;

const databaseNow = {
  postgres: sql<string>`cast(floor(extract(epoch from clock_timestamp()) * 1000) as bigint)`,
  mysql: sql<string>`floor(unix_timestamp(sysdate(3)) * 1000)`,
};

/**
 * A sentence if `now` is far from the database's clock, otherwise undefined. A slow answer does not count as a
 * difference.
 */
export async function clockFault(database: Database, now: () => number): Promise<string | undefined> {
  const { dialect } = database.adapter;
  if (dialect === 'sqlite') return undefined;
  const before = now();
  const row = await database.read(unscopedReason, ({ db }) =>
    db.selectNoFrom(databaseNow[dialect].as('at')).executeTakeFirst(),
  );
  const after = now();
  const at = Number(row?.at);
  const differsMs = at > after ? after - at : before - at;
  if (!(Math.abs(differsMs) > toleratedMs)) return undefined;
  const seconds = Math.round(Math.abs(differsMs) / 1_000);
  return `The clock of this process is ${seconds} s ${differsMs > 0 ? 'ahead of' : 'behind'} the database's. Jobs may run early, late or twice: let NTP set the clocks of all machines.`;
}

/** Logs the sentence of `clockFault`, if any. */
export async function warnOfClock(database: Database, log: Logger): Promise<void> {
  const fault = await clockFault(database, Date.now);
  if (fault !== undefined) log.warn({}, fault);
}

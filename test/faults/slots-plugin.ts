// A plugin whose schedule writes a row when a run begins and marks it when the run ends, and a function that reads those rows. For
// the test of schedules over many processes, which compose it. The table does not belong to the service.
import { setTimeout as pause } from 'node:timers/promises';
import type { SqlResult, StorageAdapter } from '../../core/contract/ports/storage.ts';
import { definePlugin } from '../../core/index.ts';

/** The duration of a run in milliseconds: long enough to be killed in the middle. */
const runMs = 400;

/** One run of a slot. */
export interface SlotRun {
  /** The slot's number: its start divided by its length. */
  readonly slot: number;
  readonly pid: number;
  readonly ended: boolean;
}

async function runSql(storage: StorageAdapter, sql: string): Promise<SqlResult> {
  const driver = await storage.open();
  try {
    return await driver.transact((connection) => connection.query({ sql, parameters: [] }));
  } finally {
    await driver.close();
  }
}

/** Creates the table. It has no key, so that a slot that runs twice has two rows. */
export async function createSlotRuns(storage: StorageAdapter): Promise<void> {
  await runSql(storage, 'create table slot_runs (slot bigint not null, pid bigint not null, ended bigint not null)');
}

/** All runs so far, by slot. */
export async function readSlotRuns(storage: StorageAdapter): Promise<SlotRun[]> {
  const { rows } = await runSql(storage, 'select slot, pid, ended from slot_runs order by slot');
  return rows.map(({ slot, pid, ended }) => ({ slot: Number(slot), pid: Number(pid), ended: Number(ended) === 1 }));
}

export function slotsPlugin(storage: StorageAdapter, everyMs: number) {
  return definePlugin({
    id: 'slots',
    schedules: [
      {
        id: 'slots.mark',
        description: 'Writes a row a run.',
        everyMs,
        async run({ now }) {
          const slot = Math.floor(now / everyMs);
          await runSql(storage, `insert into slot_runs (slot, pid, ended) values (${slot}, ${process.pid}, 0)`);
          await pause(runMs);
          await runSql(storage, `update slot_runs set ended = 1 where slot = ${slot} and pid = ${process.pid}`);
        },
      },
    ],
  });
}

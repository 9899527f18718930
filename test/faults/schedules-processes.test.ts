// time-limit: 180
// A schedule over four real processes: one process runs each slot, even after the process that ran the schedule was killed in the
// middle of a run. That run stays unfinished. The next slot has its own run.
// full-run: slow
import { setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { StorageAdapter } from '../../core/contract/ports/storage.ts';
import { type DatabaseKind, serverKinds, withDatabase } from './databases.ts';
import { createMailService, storageOf } from './mail-service.ts';
import { createSlotRuns, readSlotRuns, type SlotRun } from './slots-plugin.ts';
import { WorkerProcesses } from './worker-processes.ts';

const test = suite('schedules across processes');
const slotMs = 2_000;
const deadlineMs = 120_000;

async function until(storage: StorageAdapter, condition: (runs: SlotRun[]) => boolean): Promise<SlotRun[]> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    const runs = await readSlotRuns(storage);
    if (condition(runs)) return runs;
    if (performance.now() > deadline) throw new Error(`The expected runs did not happen: ${JSON.stringify(runs)}`);
    await pause(50);
  }
}

/** Slots that ran more than once. */
function repeatedSlots(runs: readonly SlotRun[]): number[] {
  const slots = runs.map(({ slot }) => slot);
  return slots.filter((slot, index) => slots.indexOf(slot) !== index);
}

function register(kind: DatabaseKind): void {
  test(`four processes run each slot once on ${kind}, whichever process is killed`, () =>
    withDatabase(kind, async (database) => {
      const storage = storageOf(database);
      const service = createMailService({ storage });
      await service.migrate();
      await service.stop();
      await createSlotRuns(storage);
      const members = new WorkerProcesses({ database, smtpPort: 1, leaseMs: 60_000, slotMs });
      try {
        await members.start(4);
        const before = await until(storage, (runs) => runs.length >= 2);
        for (let kill = 1; kill <= 2; kill += 1) {
          const seenCount = members.kills === 0 ? before.length : (await readSlotRuns(storage)).length;
          const runsAtKill = await until(
            storage,
            (runs) => runs.length > seenCount && runs.some(({ ended, pid }) => !ended && members.pids.includes(pid)),
          );
          const holder = runsAtKill.find(({ ended, pid }) => !ended && members.pids.includes(pid));
          await members.kill(holder?.pid ?? 0);
        }
        const unfinishedCount = (await readSlotRuns(storage)).length;
        const runs = await until(storage, (all) => all.filter(({ ended }) => ended).length >= unfinishedCount + 1);
        assert.equal(await members.stop(), [0, 0], 'the other processes stop cleanly');
        const brokenOff = runs.filter(({ ended }) => !ended);
        const slots = runs.map(({ slot }) => slot);
        const missedCount = Math.max(...slots) - Math.min(...slots) + 1 - new Set(slots).size;
        console.log(`# ${kind}: ${runs.length} runs, ${brokenOff.length} broken off, ${missedCount} slots left out`);
        assert.equal(repeatedSlots(runs), [], 'slots that ran twice');
        assert.ok(brokenOff.length >= 1 && brokenOff.length <= 3, 'the runs of killed processes stay unfinished');
        assert.equal(members.noise, []);
      } finally {
        await members.stop();
      }
    }));
}

test('the check detects a slot that runs twice', () => {
  const run = { pid: 1, ended: true };
  assert.equal(
    repeatedSlots([
      { ...run, slot: 1 },
      { ...run, slot: 2 },
      { ...run, slot: 2 },
    ]),
    [2],
  );
});

for (const kind of await serverKinds()) register(kind);
test.run();

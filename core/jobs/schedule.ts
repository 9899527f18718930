// Schedules: at most one run for each slot over all processes. The rows of schedule_slots decide: the process that
// updates a row's next_at runs the slot. One run makes up for all missed slots. Called by the runner.
import { defineStatement } from '../contract/context/handle.ts';
import type { ScheduleDeclaration } from '../contract/declaration/jobs.ts';
import { isStorageError } from '../contract/ports/storage.ts';
import type { Database } from '../storage/database.ts';
import { unscoped } from '../storage/scope.ts';
import { queueTransaction } from './queue-transaction.ts';
import { createScheduleContext, type ScheduleCoreContext } from './schedule-context.ts';

const unscopedReason = unscoped('schedules belong to no workspace');

const allSlots = defineStatement((db) => db.selectFrom('schedule_slots').selectAll());

const insertSlot = defineStatement((db, p: { id: string; next_at: number }) =>
  db.insertInto('schedule_slots').values({ id: p.id, next_at: p.next_at, last_started_at: null }),
);

const takeSlot = defineStatement((db, p: { id: string; seen: number; next_at: number; now: number }) =>
  db
    .updateTable('schedule_slots')
    .set({ next_at: p.next_at, last_started_at: p.now })
    .where('id', '=', p.id)
    .where('next_at', '=', p.seen),
);

const moveSlot = defineStatement((db, p: { id: string; seen: number; next_at: number }) =>
  db.updateTable('schedule_slots').set({ next_at: p.next_at }).where('id', '=', p.id).where('next_at', '=', p.seen),
);

/** Slots begin at multiples of their length since the epoch, plus the offset, so all processes compute the same slots. */
const nextSlot = ({ everyMs, offsetMs = 0 }: ScheduleDeclaration, now: number): number =>
  (Math.floor((now - offsetMs) / everyMs) + 1) * everyMs + offsetMs;

/** Inserts the row of a schedule. Another process may insert it first. */
async function insertMissingSlot(database: Database, id: string, next_at: number): Promise<void> {
  try {
    await queueTransaction(database, (scope) => scope.handle(unscopedReason).run(insertSlot, { id, next_at }));
  } catch (error) {
    if (!isStorageError(error, 'unique')) throw error;
  }
}

/** Inserts the missing rows of schedules, with the first slot after `now`. */
export async function insertMissingSlots({ core, database }: ScheduleCoreContext, now: number): Promise<void> {
  const rows = await database.read(unscopedReason, (handle) => handle.all(allSlots, {}));
  const existing = new Set(rows.map(({ id }) => id));
  for (const schedule of core.registry.schedules)
    if (!existing.has(schedule.id)) await insertMissingSlot(database, schedule.id, nextSlot(schedule, now));
}

/** Rows are read again after this time at the latest, because other processes update them too. */
const maxCacheAgeMs = 30_000;

/** The due schedules that a process ran, by id. */
export interface ScheduleRuns {
  readonly ran: readonly string[];
  /** The schedules of `ran` that threw. They run again at their next slot. */
  readonly failed: readonly string[];
}

/** Runs the schedules of one process. */
export class Schedules {
  readonly #context: ScheduleCoreContext;
  /** The running schedules by id. Resolves to true if the schedule did not throw. */
  readonly #running = new Map<string, Promise<boolean>>();
  #controller = new AbortController();
  #nextReadAt = 0;

  constructor(context: ScheduleCoreContext) {
    this.#context = context;
  }

  /** Runs the due schedules, unless a recent read showed that none is due. Called every second. */
  async tick(): Promise<void> {
    const now = this.#context.core.ports.now();
    if (now >= this.#nextReadAt || this.#nextReadAt > now + maxCacheAgeMs) await this.#startDue();
  }

  /** Runs the due schedules and waits for them. */
  async run(): Promise<ScheduleRuns> {
    const startedIds = await this.#startDue();
    const ended = await Promise.all(startedIds.map(async (id) => ({ id, succeeded: await this.#running.get(id) })));
    return { ran: startedIds, failed: ended.flatMap(({ id, succeeded }) => (succeeded === false ? [id] : [])) };
  }

  async #startDue(): Promise<string[]> {
    const { core, database } = this.#context;
    const now = core.ports.now();
    const rows = await database.read(unscopedReason, (handle) => handle.all(allSlots, {}));
    const nextTimes = new Map(rows.map((row) => [row.id, row.next_at]));
    const started: string[] = [];
    this.#nextReadAt = now + maxCacheAgeMs;
    for (const schedule of core.registry.schedules) {
      if (this.#running.has(schedule.id)) continue;
      if (await this.#take(schedule, nextTimes.get(schedule.id), now)) {
        started.push(schedule.id);
        this.#start(schedule, now);
      }
      this.#nextReadAt = Math.min(this.#nextReadAt, nextSlot(schedule, now));
    }
    return started;
  }

  /**
   * Runs the schedules with `atStart`, even if another process has their slots. Waits at most `waitMs` for them; after
   * that they go on in the background.
   */
  async runAtStart(waitMs: number): Promise<void> {
    const { core } = this.#context;
    for (const schedule of core.registry.schedules)
      if (schedule.atStart === true && !this.#running.has(schedule.id)) this.#start(schedule, core.ports.now());
    await this.#waitUntilIdle(waitMs);
    const schedules = [...this.#running.keys()];
    if (schedules.length > 0) core.log.info({ schedules }, 'startup schedules are still running in the background');
  }

  /** Aborts the signals of running schedules and waits for them, `graceMs` at most. */
  async stop(graceMs: number): Promise<void> {
    this.#controller.abort(new Error('The service is stopping.'));
    this.#controller = new AbortController();
    await this.#waitUntilIdle(graceMs);
  }

  /** Waits for the running schedules, `maxMs` at most. */
  async #waitUntilIdle(maxMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, maxMs);
    });
    await Promise.race([Promise.all(this.#running.values()), timeout]);
    clearTimeout(timer);
  }

  /** Returns whether this process took the slot. A new schedule waits for its first slot. */
  async #take(schedule: ScheduleDeclaration, storedNextAt: number | undefined, now: number): Promise<boolean> {
    const { database } = this.#context;
    const { id } = schedule;
    const next = nextSlot(schedule, now);
    if (storedNextAt === undefined) {
      await insertMissingSlot(database, id, next);
      return false;
    }
    if (storedNextAt <= now) {
      const moved = await queueTransaction(database, (scope) =>
        scope.handle(unscopedReason).run(takeSlot, { id, seen: storedNextAt, next_at: next, now }),
      );
      return moved === 1;
    }
    // The slots changed, or the clock was set back: the old time no longer counts.
    if (storedNextAt > next)
      await queueTransaction(database, (scope) =>
        scope.handle(unscopedReason).run(moveSlot, { id, seen: storedNextAt, next_at: next }),
      );
    return false;
  }

  #start(schedule: ScheduleDeclaration, now: number): void {
    const { log } = this.#context.core;
    const context = createScheduleContext(this.#context, now, this.#controller.signal);
    const run = async (): Promise<boolean> => {
      try {
        await schedule.run(context);
        return true;
      } catch (error) {
        const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
        log.error({ schedule: schedule.id, cause }, 'a schedule failed; its next slot runs it again');
        return false;
      }
    };
    this.#running.set(
      schedule.id,
      run().finally(() => this.#running.delete(schedule.id)),
    );
  }
}

// Hands references of due jobs on to an external queue: marks the rows as queued, sends, and confirms, so that no lock
// is held while it sends. The sweep finds references that the queue lost, or that were not sent because of a crash.
// They are sent again. Called by the runner; several processes may relay at the same time.
import { lanes } from '../contract/declaration/jobs.ts';
import type { JobQueue, OutgoingReference, RelayReport } from '../contract/ports/queue.ts';
import type { Core } from '../pipeline/core.ts';
import type { Database, TransactionScope } from '../storage/database.ts';
import { inLists, maxListLength } from '../storage/list-statement.ts';
import { unscoped } from '../storage/scope.ts';
import type { OutageLog } from './outage-log.ts';
import { afterEveryId, nextKeys, queueStatus } from './queue.ts';
import { queueTransaction } from './queue-transaction.ts';
import {
  confirmListed,
  lostReferences,
  nearWaiting,
  oldestReady,
  queuedOfListed,
  queueListed,
  takeBackListed,
} from './relay-rows.ts';
import { formFor } from './skip-locked.ts';

const unscopedReason = unscoped('the queue serves every workspace');

/** The largest number of references in one round. */
const batchSize = 512;
const keysPerRound = 16;
/**
 * The largest number of references of one concurrency key in the queue, so that a busy workspace delays the others by
 * no more than this.
 */
const maxPerKey = 4_000;
/**
 * If a key has more jobs than the queue may hold, the relay looks again after this time. While nothing changes, the time
 * doubles, up to the second value.
 */
const recheckMs = 50;
const longestRecheckMs = 1_000;
/** A queue that does not answer within this time counts as refusing. */
const sendTimeoutMs = 20_000;
/** A reference whose send was neither confirmed nor refused counts as lost after this time. */
const unconfirmedMs = 30_000;

interface Row {
  readonly id: string;
  readonly workspace_id: string;
  readonly lane: number;
  readonly run_at: number;
}

export interface RelayParts {
  readonly core: Core;
  readonly database: Database;
  readonly queue: JobQueue;
  readonly outages: OutageLog;
  /** If no process claims a reference, it counts as lost this long after the job was due. */
  readonly lostAfterMs: number;
}

const relayTask = 'handing jobs on to the queue';

/** The relay of one process. */
export class Relay {
  readonly #parts: RelayParts;
  readonly #lastServed = lanes.map(() => '');
  #open = false;
  #mustRunAgain = false;
  #pumping: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #pauseMs = recheckMs;
  #cutShort = false;
  /** Rounds run one after another. */
  #lastRound: Promise<unknown> = Promise.resolve();

  constructor(parts: RelayParts) {
    this.#parts = parts;
  }

  /** After this call, wake() hands jobs on. */
  open(): void {
    this.#open = true;
  }

  /** Waits for the running pass, then stops. */
  async close(): Promise<void> {
    this.#open = false;
    clearTimeout(this.#timer);
    await this.#pumping;
  }

  /** Call when a job may be ready. */
  wake(): void {
    if (!this.#open) return;
    this.#mustRunAgain = true;
    this.#pumping ??= this.#pump().finally(() => {
      this.#pumping = undefined;
      if (this.#mustRunAgain) this.wake();
    });
  }

  /**
   * Hands on all jobs that can be handed on, until `deadline` (see performance.now). Failures of the queue are logged;
   * failures of the database are thrown.
   */
  async relay(deadline: number): Promise<RelayReport> {
    let sent = 0;
    for (;;) {
      if (performance.now() >= deadline) return { sent, hasMore: true };
      const round = this.#lastRound.then(() => this.#round());
      this.#lastRound = round.catch(() => undefined);
      const { marked, accepted } = await round;
      sent += accepted;
      if (accepted < marked) return { sent, hasMore: true };
      if (marked === 0) return { sent, hasMore: this.#cutShort };
    }
  }

  /** Takes back jobs whose references count as lost, so that they are handed on again. Returns the number of jobs. */
  async sweep(): Promise<number> {
    const { core, database } = this.#parts;
    const now = core.ports.now();
    const lostRow = await database.read(unscopedReason, (handle) =>
      handle.one(lostReferences.plain, { now, limit: 1 }),
    );
    if (lostRow === undefined) return 0;
    const selectLost = formFor(database.adapter, lostReferences);
    const lostCount = await queueTransaction(database, async (scope) => {
      const handle = scope.handle(unscopedReason);
      const ids = (await handle.all(selectLost, { now, limit: maxListLength })).map(({ id }) => id);
      return ids.length === 0 ? 0 : handle.run(...takeBackListed(ids, { now, before: now }));
    });
    if (lostCount > 0) core.log.warn({ jobs: lostCount }, 'references to jobs were lost: they are handed on again');
    return lostCount;
  }

  async #pump(): Promise<void> {
    // Waits for the jobs that are written in this turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    this.#mustRunAgain = false;
    clearTimeout(this.#timer);
    try {
      const { sent } = await this.relay(Number.POSITIVE_INFINITY);
      this.#pauseMs = sent > 0 ? recheckMs : Math.min(this.#pauseMs * 2, longestRecheckMs);
    } catch (error) {
      this.#parts.outages.report(relayTask, error);
      return;
    }
    if (this.#cutShort && this.#open) this.#timer = setTimeout(() => this.wake(), this.#pauseMs);
  }

  async #round(): Promise<{ readonly marked: number; readonly accepted: number }> {
    const { core, queue, outages, lostAfterMs } = this.#parts;
    const mark = core.ports.now() + unconfirmedMs;
    const rows = await this.#mark(mark);
    if (rows.length === 0) return { marked: 0, accepted: 0 };
    for (const { id } of rows) core.ports.phase('relay.marked', id);
    const now = core.ports.now();
    const refused = new Set<string>();
    try {
      const messages = rows.map((row) => referenceOf(row, now, queue.maxDelayMs));
      const unsent = await withinTime(queue.send(messages));
      for (const { jobId } of unsent) refused.add(jobId);
      const [first] = unsent;
      if (first === undefined) outages.reportRecovery(relayTask);
      else {
        const refusedShare = `${refused.size} of ${rows.length} references`;
        outages.report(
          relayTask,
          new Error(`The queue ${queue.id} refused ${refusedShare}. The first: ${first.reason}`),
        );
      }
    } catch (error) {
      outages.report(relayTask, error);
      for (const { id } of rows) refused.add(id);
    }
    for (const { id } of rows) core.ports.phase('relay.sent', id);
    const accepted = rows.filter(({ id }) => !refused.has(id));
    const count = (result: string, references: number) => {
      if (references > 0) core.telemetry.record('relayed', references, { 'postrider.relay.result': result });
    };
    count('sent', accepted.length);
    count('refused', refused.size);
    await this.#settle(
      accepted.filter((row) => row.run_at <= now),
      mark,
      now + lostAfterMs,
    );
    const delayed = accepted.filter((row) => row.run_at > now);
    await this.#settle(delayed, mark, Math.max(now, ...delayed.map((row) => row.run_at)) + lostAfterMs);
    await this.#takeBack([...refused], mark);
    return { marked: rows.length, accepted: accepted.length };
  }

  async #mark(mark: number): Promise<readonly Row[]> {
    const { core, database, queue } = this.#parts;
    const until = core.ports.now() + queue.maxDelayMs;
    this.#cutShort = false;
    const status = await database.read(unscopedReason, (handle) => handle.one(queueStatus, {}));
    const lanesWithJobs = lanes
      .map((_, lane) => lane)
      .filter((lane) => status?.[lanes[lane] as keyof typeof status] != null);
    const hasNearJobs = queue.maxDelayMs > 0 && status?.waiting_at != null && status.waiting_at <= until;
    if (lanesWithJobs.length === 0 && !hasNearJobs) return [];
    return queueTransaction(database, async (scope) => {
      const handle = scope.handle(unscopedReason);
      const rows: Row[] = [];
      for (const lane of lanesWithJobs) {
        if (rows.length < batchSize) rows.push(...(await this.#takeLane(scope, lane, batchSize - rows.length)));
      }
      if (hasNearJobs && rows.length < batchSize) {
        rows.push(
          ...(await handle.all(formFor(database.adapter, nearWaiting), { until, limit: batchSize - rows.length })),
        );
      }
      for (const list of inLists(rows)) {
        await handle.run(
          ...queueListed(
            list.map(({ id }) => id),
            { until: mark },
          ),
        );
      }
      return rows;
    });
  }

  /** The oldest jobs of the next keys in circular order, shared evenly among the keys that have room in the queue. */
  async #takeLane(scope: TransactionScope, lane: number, limit: number): Promise<readonly Row[]> {
    const { database } = this.#parts;
    const handle = scope.handle(unscopedReason);
    const after = this.#lastServed[lane] ?? '';
    const seek = async (from: string, until: string, limit: number) =>
      (await handle.all(nextKeys, { lane, after: from, until, limit })).flatMap(({ id }) => id ?? []);
    const keys = await seek(after, afterEveryId, keysPerRound);
    if (after !== '' && keys.length < keysPerRound) keys.push(...(await seek('', after, keysPerRound - keys.length)));
    if (keys.length === 0) return [];
    const queued = new Map<string, number>();
    for (const row of await handle.all(...queuedOfListed(keys, { lane })))
      queued.set(row.concurrency_key, Number(row.jobs));
    const keysWithRoom = keys.filter((key) => (queued.get(key) ?? 0) < maxPerKey).slice(0, limit);
    this.#lastServed[lane] = keys.length < keysPerRound ? '' : (keys.at(-1) ?? '');
    if (keysWithRoom.length < keys.length) this.#cutShort = true;
    if (keysWithRoom.length === 0) return [];
    const takeOf = formFor(database.adapter, oldestReady);
    return handle.all(...takeOf(keysWithRoom, { lane, share: Math.floor(limit / keysWithRoom.length) }));
  }

  async #settle(rows: readonly Row[], mark: number, until: number): Promise<void> {
    if (rows.length === 0) return;
    await queueTransaction(this.#parts.database, async (scope) => {
      for (const list of inLists(rows)) {
        const ids = list.map(({ id }) => id).sort();
        await scope.handle(unscopedReason).run(...confirmListed(ids, { mark, until }));
      }
    });
  }

  async #takeBack(ids: readonly string[], mark: number): Promise<void> {
    if (ids.length === 0) return;
    const now = this.#parts.core.ports.now();
    await queueTransaction(this.#parts.database, async (scope) => {
      for (const list of inLists(ids))
        await scope.handle(unscopedReason).run(...takeBackListed(list, { now, before: mark + 1 }));
    });
  }
}

function referenceOf(row: Row, now: number, maxDelayMs: number): OutgoingReference {
  return {
    jobId: row.id,
    workspaceId: row.workspace_id,
    lane: lanes[row.lane] ?? 'normal',
    dueAt: row.run_at,
    delayMs: Math.min(maxDelayMs, Math.max(0, row.run_at - now)),
  };
}

async function withinTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The queue did not answer within ${sendTimeoutMs} ms.`)), sendTimeoutMs);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

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

const everywhere = unscoped('the queue serves every workspace');

/** The largest number of references in one round. */
const batch = 512;
const keysPerRound = 16;
/**
 * The largest number of references of one concurrency key in the queue, so that a busy workspace delays the others by
 * no more than this.
 */
const windowOfKey = 4_000;
/**
 * After a key was cut short, the relay looks again after this time. While nothing changes, the time doubles, up to the
 * second value.
 */
const lookAgainMs = 50;
const longestLookMs = 1_000;
/** A queue that does not answer within this time counts as refusing. */
const sendMs = 20_000;
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

const what = 'handing jobs on to the queue';

/** The relay of one process. */
export class Relay {
  readonly #parts: RelayParts;
  readonly #lastServed = lanes.map(() => '');
  #open = false;
  #again = false;
  #pumping: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #pauseMs = lookAgainMs;
  #cutShort = false;
  /** Rounds run one after another. */
  #last: Promise<unknown> = Promise.resolve();

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
    this.#again = true;
    this.#pumping ??= this.#pump().finally(() => {
      this.#pumping = undefined;
      if (this.#again) this.wake();
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
      const round = this.#last.then(() => this.#round());
      this.#last = round.catch(() => undefined);
      const { marked, taken } = await round;
      sent += taken;
      if (taken < marked) return { sent, hasMore: true };
      if (marked === 0) return { sent, hasMore: this.#cutShort };
    }
  }

  /** Returns jobs whose references count as lost to the queue, so that they are handed on again. Returns the number of jobs. */
  async sweep(): Promise<number> {
    const { core, database } = this.#parts;
    const now = core.ports.now();
    const some = await database.read(everywhere, (handle) => handle.one(lostReferences.plain, { now, limit: 1 }));
    if (some === undefined) return 0;
    const lost = formFor(database.adapter, lostReferences);
    const found = await queueTransaction(database, async (scope) => {
      const handle = scope.handle(everywhere);
      const ids = (await handle.all(lost, { now, limit: maxListLength })).map(({ id }) => id);
      return ids.length === 0 ? 0 : handle.run(...takeBackListed(ids, { now, before: now }));
    });
    if (found > 0) core.log.warn({ jobs: found }, 'references to jobs were lost: they are handed on again');
    return found;
  }

  async #pump(): Promise<void> {
    // Waits for the jobs that are written in this turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    this.#again = false;
    clearTimeout(this.#timer);
    try {
      const { sent } = await this.relay(Number.POSITIVE_INFINITY);
      this.#pauseMs = sent > 0 ? lookAgainMs : Math.min(this.#pauseMs * 2, longestLookMs);
    } catch (error) {
      this.#parts.outages.report(what, error);
      return;
    }
    if (this.#cutShort && this.#open) this.#timer = setTimeout(() => this.wake(), this.#pauseMs);
  }

  async #round(): Promise<{ readonly marked: number; readonly taken: number }> {
    const { core, queue, outages, lostAfterMs } = this.#parts;
    const mark = core.ports.now() + unconfirmedMs;
    const rows = await this.#mark(mark);
    if (rows.length === 0) return { marked: 0, taken: 0 };
    for (const { id } of rows) core.ports.phase('relay.marked', id);
    const now = core.ports.now();
    const refused = new Set<string>();
    try {
      const messages = rows.map((row) => referenceOf(row, now, queue.maxDelayMs));
      const unsent = await withinTime(queue.send(messages));
      for (const { jobId } of unsent) refused.add(jobId);
      const [first] = unsent;
      if (first === undefined) outages.over(what);
      else {
        const share = `${refused.size} of ${rows.length} references`;
        outages.report(what, new Error(`The queue ${queue.id} refused ${share}. The first: ${first.reason}`));
      }
    } catch (error) {
      outages.report(what, error);
      for (const { id } of rows) refused.add(id);
    }
    for (const { id } of rows) core.ports.phase('relay.sent', id);
    const taken = rows.filter(({ id }) => !refused.has(id));
    const count = (result: string, references: number) => {
      if (references > 0) core.telemetry.record('relayed', references, { 'postrider.relay.result': result });
    };
    count('sent', taken.length);
    count('refused', refused.size);
    await this.#settle(
      taken.filter((row) => row.run_at <= now),
      mark,
      now + lostAfterMs,
    );
    const delayed = taken.filter((row) => row.run_at > now);
    await this.#settle(delayed, mark, Math.max(now, ...delayed.map((row) => row.run_at)) + lostAfterMs);
    await this.#takeBack([...refused], mark);
    return { marked: rows.length, taken: taken.length };
  }

  async #mark(mark: number): Promise<readonly Row[]> {
    const { core, database, queue } = this.#parts;
    const until = core.ports.now() + queue.maxDelayMs;
    this.#cutShort = false;
    const seen = await database.read(everywhere, (handle) => handle.one(queueStatus, {}));
    const filled = lanes.map((_, lane) => lane).filter((lane) => seen?.[lanes[lane] as keyof typeof seen] != null);
    const near = queue.maxDelayMs > 0 && seen?.waiting_at != null && seen.waiting_at <= until;
    if (filled.length === 0 && !near) return [];
    return queueTransaction(database, async (scope) => {
      const handle = scope.handle(everywhere);
      const rows: Row[] = [];
      for (const lane of filled) {
        if (rows.length < batch) rows.push(...(await this.#takeLane(scope, lane, batch - rows.length)));
      }
      if (near && rows.length < batch) {
        rows.push(...(await handle.all(formFor(database.adapter, nearWaiting), { until, limit: batch - rows.length })));
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
  async #takeLane(scope: TransactionScope, lane: number, wanted: number): Promise<readonly Row[]> {
    const { database } = this.#parts;
    const handle = scope.handle(everywhere);
    const after = this.#lastServed[lane] ?? '';
    const seek = async (from: string, until: string, limit: number) =>
      (await handle.all(nextKeys, { lane, after: from, until, limit })).flatMap(({ id }) => id ?? []);
    const keys = await seek(after, afterEveryId, keysPerRound);
    if (after !== '' && keys.length < keysPerRound) keys.push(...(await seek('', after, keysPerRound - keys.length)));
    if (keys.length === 0) return [];
    const queued = new Map<string, number>();
    for (const row of await handle.all(...queuedOfListed(keys, { lane })))
      queued.set(row.concurrency_key, Number(row.jobs));
    const open = keys.filter((key) => (queued.get(key) ?? 0) < windowOfKey).slice(0, wanted);
    this.#lastServed[lane] = keys.length < keysPerRound ? '' : (keys.at(-1) ?? '');
    if (open.length < keys.length) this.#cutShort = true;
    if (open.length === 0) return [];
    const takeOf = formFor(database.adapter, oldestReady);
    return handle.all(...takeOf(open, { lane, share: Math.floor(wanted / open.length) }));
  }

  async #settle(rows: readonly Row[], mark: number, until: number): Promise<void> {
    if (rows.length === 0) return;
    await queueTransaction(this.#parts.database, async (scope) => {
      for (const list of inLists(rows)) {
        const ids = list.map(({ id }) => id).sort();
        await scope.handle(everywhere).run(...confirmListed(ids, { mark, until }));
      }
    });
  }

  async #takeBack(ids: readonly string[], mark: number): Promise<void> {
    if (ids.length === 0) return;
    const now = this.#parts.core.ports.now();
    await queueTransaction(this.#parts.database, async (scope) => {
      for (const list of inLists(ids))
        await scope.handle(everywhere).run(...takeBackListed(list, { now, before: mark + 1 }));
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
    timer = setTimeout(() => reject(new Error(`The queue did not answer within ${sendMs} ms.`)), sendMs);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

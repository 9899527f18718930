// One run of the killing test: a seeded database, a mail server, several lives of the worker that each end with a kill, a last life
// that drains the queue, and the accounting for all of them. Called by kill.test.ts.
import type { Phase } from '../../core/contract/ports/platform.ts';
import type { StorageAdapter } from '../../core/contract/ports/storage.ts';
import { maxUnmarked } from '../../core/jobs/acknowledgements.ts';
import { createSeededRandomness } from '../../hosts/testing/seeded-randomness.ts';
import { SmtpSink } from '../support/smtp-sink.ts';
import { type DeliveryAccount, reconcileDeliveries } from './accounting.ts';
import { type DatabaseKind, withDatabase } from './databases.ts';
import { createMailService, type DatabaseLocation, seed, storageOf } from './mail-service.ts';
import type { InjectedFault } from './planted-faults.ts';
import { StuckLeases } from './stuck-leases.ts';
import { runLife } from './worker-life.ts';
import type { JournalEntry } from './worker-plan.ts';

/** A kill: at the n-th occurrence of a phase, or from outside, this many milliseconds after the worker is ready. */
export type WorkerKill = { readonly phase: Phase; readonly occurrence: number } | { readonly afterMs: number };

/** The plan of a run. */
export interface RunOptions {
  readonly database: DatabaseKind;
  readonly kills: readonly WorkerKill[];
  /** Sends per life, by 16 concurrent callers. Sends that the previous life left unanswered come first. */
  readonly sendsPerLife: number;
  readonly plant?: InjectedFault;
  /** The prefix of an external queue in Redis. (Default: the database is the queue) */
  readonly queuePrefix?: string;
  /** The maximum time of the last life to drain, in milliseconds. */
  readonly drainMs: number;
  /** Looks at the database at the end. (Default: only the accounting does) */
  readonly inspect?: (storage: StorageAdapter) => Promise<void>;
}

/** The result of a run. */
export interface RunResult extends DeliveryAccount {
  readonly kills: number;
  readonly killedAt: ReadonlyMap<Phase | 'outside', number>;
  /** The number of keys that a life left without an answer and that the next life sent again. */
  readonly retried: number;
  /** The number of these keys that got a replay: the send was committed, but its answer had not arrived. */
  readonly retriedReplays: number;
  readonly stuckLeases: readonly string[];
  readonly maxLeaseMs: number;
  readonly errors: readonly string[];
}

const callers = 16;
const leaseMs = 2_000;
/** The service's default: at most this many SMTP attempts may be running when a process dies. */
const concurrency = 10;
/** The maximum number of messages that a dead process may repeat: messages in delivery, and messages whose ends wait for a commit. */
export const repeatsPerKill = concurrency + maxUnmarked;

/** Random whole numbers from a seed. */
export function createChance(seed: string): (min: number, max: number) => number {
  const randomness = createSeededRandomness(seed);
  return (min, max) => {
    const [high = 0, low = 0] = randomness.bytes(2);
    return min + ((high * 256 + low) % (max - min + 1));
  };
}

export function runWithKills(options: RunOptions): Promise<RunResult> {
  return withDatabase(options.database, async (database, folder) => {
    const sink = await SmtpSink.start();
    const first = createMailService({ storage: storageOf(database) });
    const { apiKey } = await seed(first);
    await first.stop();
    const watch = await StuckLeases.watch(storageOf(database), options.drainMs / 3);
    try {
      const lives = await runLives(options, { database, folder, apiKey, smtpPort: sink.port, watch });
      const stuck = await watch.stop();
      const findings = await reconcileDeliveries(lives, storageOf(database), sink.messages);
      await options.inspect?.(storageOf(database));
      return { ...findings, ...lives, keys: lives.keys.length, stuckLeases: stuck.jobs, maxLeaseMs: stuck.maxMs };
    } finally {
      await watch.stop();
      await sink.stop();
    }
  });
}

interface Scene {
  readonly database: DatabaseLocation;
  readonly folder: string;
  readonly apiKey: string;
  readonly smtpPort: number;
  readonly watch: StuckLeases;
}

async function runLives(
  { kills, sendsPerLife, plant, drainMs, queuePrefix }: RunOptions,
  { folder, watch, ...scene }: Scene,
) {
  const keys: string[] = [];
  const entries: JournalEntry[] = [];
  const answeredKeys = new Set<string>();
  const errors: string[] = [];
  const killedAt = new Map<Phase | 'outside', number>();
  let retriedCount = 0;
  let retriedReplays = 0;
  const lifeOptions = {
    ...scene,
    callers,
    leaseMs,
    ...(plant !== undefined && { plant }),
    ...(queuePrefix !== undefined && { queuePrefix }),
  };
  const onReady = () => watch.alive();

  const recordLife = (life: Awaited<ReturnType<typeof runLife>>, retries: ReadonlySet<string>): void => {
    watch.dead();
    for (const entry of life.entries) {
      entries.push(entry);
      if (entry.kind !== 'accepted') continue;
      answeredKeys.add(entry.key);
      if (retries.has(entry.key) && entry.replayed) retriedReplays += 1;
    }
    errors.push(...life.errors);
    if (life.killedAt !== undefined) killedAt.set(life.killedAt, (killedAt.get(life.killedAt) ?? 0) + 1);
  };

  for (const kill of kills) {
    const unansweredKeys = keys.filter((key) => !answeredKeys.has(key));
    retriedCount += unansweredKeys.length;
    const fresh = Array.from({ length: Math.max(0, sendsPerLife - unansweredKeys.length) }, (_, index) => {
      const number = keys.length + index;
      return `${number % 4 === 0 ? 'once' : 'least'}-${number}`;
    });
    keys.push(...fresh);
    const plan = {
      ...lifeOptions,
      keys: [...unansweredKeys, ...fresh],
      ...('phase' in kill && { killAt: kill }),
    };
    recordLife(
      await runLife(folder, plan, { killAfterMs: 'phase' in kill ? 15_000 : kill.afterMs, onReady }),
      new Set(unansweredKeys),
    );
  }
  // The last life sends every key again. Each must get the same answer as before.
  const unansweredKeys = new Set(keys.filter((key) => !answeredKeys.has(key)));
  retriedCount += unansweredKeys.size;
  recordLife(
    await runLife(folder, { ...lifeOptions, keys, endWithinMs: drainMs }, { killAfterMs: drainMs + 30_000, onReady }),
    unansweredKeys,
  );
  return {
    keys,
    entries,
    kills: [...killedAt.values()].reduce((sum, times) => sum + times, 0),
    killedAt,
    retried: retriedCount,
    retriedReplays,
    errors,
  };
}

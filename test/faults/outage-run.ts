// One outage: requests arrive at a steady rate and two processes deliver while the database is killed, stays down and
// returns. Records the callers' answers and their times. Called by outage.test.ts, on a separate server.
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../../core/contract/ports/platform.ts';
import type { StorageAdapter } from '../../core/contract/ports/storage.ts';
import type { Service } from '../../core/kernel/compose.ts';
import { unscoped } from '../../core/storage/scope.ts';
import type { OwnServer } from '../support/own-server.ts';
import { SmtpSink } from '../support/smtp-sink.ts';
import { type DeliveryAccount, reconcileDeliveries } from './accounting.ts';
import { createMailService, type DatabaseLocation, seed, send, storageOf } from './mail-service.ts';
import type { JournalEntry } from './worker-plan.ts';
import { WorkerProcesses } from './worker-processes.ts';

/** The plan of an outage. */
export interface OutageOptions {
  readonly server: OwnServer;
  readonly database: DatabaseLocation;
  readonly awayMs: number;
  readonly leaseMs: number;
  /** Wraps the storage of the accepting process, to plant a fault. (Default: unchanged) */
  readonly wrapStorage?: (storage: StorageAdapter) => StorageAdapter;
}

/** The result of an outage. */
export interface OutageResult extends DeliveryAccount {
  /** 503 answers with Retry-After and the right code. Any other answer is a surprise. */
  readonly refused: number;
  readonly slowestRefusalMs: number;
  /** The highest number of requests that waited for an answer at one time. */
  readonly maxPending: number;
  /** Milliseconds from the server's first answer after the outage to our first 202, and to the first delivered message. */
  readonly acceptedAgainMs: number;
  readonly deliveredAgainMs: number;
  readonly heapGrowthMb: number;
  /** Lines that this process and the others logged at level warn and above. */
  readonly lines: readonly string[];
  readonly noise: readonly string[];
}

const everyMs = 20;
/** The maximum of keys without an answer. Each is tried again every second. */
const maxCallers = 150;
const beforeMs = 2_000;
const deadlineMs = 180_000;

interface Watch {
  readonly entries: JournalEntry[];
  readonly keys: string[];
  refused: number;
  slowestRefusalMs: number;
  pending: number;
  maxPending: number;
  /** Resolves at the next 202. */
  onAccepted: () => void;
}

/** Sends one key until the answer is 202 or unexpected. */
async function sendUntilAccepted(service: Service, apiKey: string, key: string, watch: Watch): Promise<void> {
  for (;;) {
    const startedAt = performance.now();
    watch.pending += 1;
    watch.maxPending = Math.max(watch.maxPending, watch.pending);
    const { status, headers, body } = await send(service, apiKey, key);
    watch.pending -= 1;
    const answer = JSON.parse(String(body)) as { id: string; error?: { code: string } };
    if (status === 202) {
      watch.onAccepted();
      watch.entries.push({ kind: 'accepted', key, id: answer.id, replayed: headers['Idempotent-Replay'] === 'true' });
      return;
    }
    const isAnswered = status === 503 && answer.error?.code === 'service_unavailable' && headers['Retry-After'] === '1';
    if (isAnswered) {
      watch.refused += 1;
      watch.slowestRefusalMs = Math.max(watch.slowestRefusalMs, Math.round(performance.now() - startedAt));
    } else if (status !== 409) {
      watch.entries.push({ kind: 'surprise', key, status, body: String(body) });
      return;
    }
    await pause(1_000);
  }
}

function loggerTo(lines: string[]): Logger {
  const keep = (_: Record<string, unknown>, message: string): void => void lines.push(message);
  return { debug: () => undefined, info: () => undefined, warn: keep, error: keep };
}

async function untilFinished(service: Service): Promise<void> {
  const database = await service.core.database();
  for (const deadline = performance.now() + deadlineMs; performance.now() < deadline; ) {
    const unfinished = await database.read(unscoped('the test looks at every workspace'), ({ db }) =>
      db.selectFrom('jobs').select('id').where('state', 'not in', ['done', 'failed']).limit(1).execute(),
    );
    if (unfinished.length === 0) return;
    await pause(100);
  }
}

async function timeUntil(moment: Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await moment;
  return Math.round(performance.now() - startedAt);
}

function waitForMessage(sink: SmtpSink): Promise<void> {
  const before = sink.messages.length;
  return sink.until(({ messages }) => messages.length > before);
}

export async function runOutage({
  server,
  database,
  awayMs,
  leaseMs,
  wrapStorage: spoil = (same) => same,
}: OutageOptions): Promise<OutageResult> {
  const sink = await SmtpSink.start({ answerMs: 20 });
  const lines: string[] = [];
  const first = createMailService({ storage: storageOf(database) });
  const { apiKey } = await seed(first);
  await first.stop();
  const service = createMailService({ storage: spoil(storageOf(database)), logger: loggerTo(lines) });
  const members = new WorkerProcesses({ database, smtpPort: sink.port, leaseMs });
  const watch: Watch = {
    entries: [],
    keys: [],
    refused: 0,
    slowestRefusalMs: 0,
    pending: 0,
    maxPending: 0,
    onAccepted: () => undefined,
  };
  try {
    await members.start(2);
    const sending: Promise<void>[] = [];
    const timer = setInterval(() => {
      if (watch.keys.length - watch.entries.length >= maxCallers) return;
      const key = `least-${watch.keys.length}`;
      watch.keys.push(key);
      sending.push(sendUntilAccepted(service, apiKey, key, watch));
    }, everyMs);
    await sink.until(({ messages }) => messages.length >= 20);
    await pause(beforeMs);
    const heap = process.memoryUsage().heapUsed;
    await server.kill();
    await pause(awayMs);
    const heapGrowthMb = Math.round((process.memoryUsage().heapUsed - heap) / 1_048_576);
    await server.start();
    const [acceptedAgainMs, deliveredAgainMs] = await Promise.all([
      timeUntil(new Promise<void>((resolve) => Object.assign(watch, { onAccepted: resolve }))),
      timeUntil(waitForMessage(sink)),
    ]);
    clearInterval(timer);
    await Promise.all(sending);
    await untilFinished(service);
    await members.stop();
    const findings = await reconcileDeliveries(
      { keys: watch.keys, entries: watch.entries },
      storageOf(database),
      sink.messages,
    );
    return {
      ...findings,
      ...watch,
      keys: watch.keys.length,
      acceptedAgainMs,
      deliveredAgainMs,
      heapGrowthMb,
      lines: [...lines, ...members.log.map(({ msg }) => msg)],
      noise: members.noise,
    };
  } finally {
    await members.stop();
    await service.stop().catch(() => undefined);
    await sink.stop();
  }
}

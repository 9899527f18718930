// One run of many processes on one database: this process only accepts sends, four others deliver them, two of those are killed in
// the middle, and login codes are sent meanwhile. Called by many.test.ts and by test/bench/many.ts.
import { setTimeout as pause } from 'node:timers/promises';
import type { Service } from '../../core/kernel/compose.ts';
import { unscoped } from '../../core/storage/scope.ts';
import { SmtpSink } from '../support/smtp-sink.ts';
import { type DeliveryAccount, reconcileDeliveries } from './accounting.ts';
import { type DatabaseKind, withDatabase } from './databases.ts';
import { createMailService, type DatabaseLocation, recipientOf, seed, send, storageOf } from './mail-service.ts';
import type { ManyPlant } from './many-plan.ts';
import type { JournalEntry } from './worker-plan.ts';
import { WorkerProcesses } from './worker-processes.ts';

/** The plan of a run. */
export interface ManyOptions {
  readonly kind: DatabaseKind;
  readonly sends: number;
  readonly processes: number;
  readonly kills: number;
  readonly leaseMs: number;
  /** The time that the SMTP server takes to answer a message. */
  readonly answerMs: number;
  readonly plant?: ManyPlant;
}

/** The result of a run. */
export interface ManyResult extends DeliveryAccount {
  readonly kills: number;
  /** The number of messages not yet delivered at each kill. */
  readonly leftAtKills: readonly number[];
  /** Sends per second: accepted by this process, delivered by one process, delivered by all processes. */
  readonly rates: { readonly accepted: number; readonly one: number; readonly all: number };
  /** Milliseconds from a login code's request to its delivery: sent during the batch, and sent while the queue was empty. */
  readonly codesMs: { readonly inBatch: readonly number[]; readonly idle: readonly number[] };
  /** The exit codes of the surviving processes. */
  readonly endings: readonly (number | string)[];
  /** Errors in the log, and output on stderr that is not a log line. */
  readonly errors: readonly string[];
}

const callers = 16;
const deadlineMs = 900_000;
const ratedShare = 0.15;

interface Scene {
  readonly service: Service;
  readonly apiKey: string;
  readonly sink: SmtpSink;
  readonly entries: JournalEntry[];
}

async function acceptSends({ service, apiKey, entries }: Scene, keys: readonly string[]): Promise<void> {
  const waiting = keys.values();
  const caller = async (): Promise<void> => {
    for (const key of waiting) {
      const { status, body } = await send(service, apiKey, key);
      if (status !== 202) entries.push({ kind: 'surprise', key, status, body: String(body) });
      else
        entries.push({ kind: 'accepted', key, id: (JSON.parse(String(body)) as { id: string }).id, replayed: false });
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
}

/** Milliseconds from the request to the delivery. */
async function timeCode(scene: Scene, key: string): Promise<number> {
  const startedAt = performance.now();
  await acceptSends(scene, [key]);
  const recipient = recipientOf(key);
  let scannedCount = 0;
  await scene.sink.until(({ messages }) => {
    const hasArrived = messages.slice(scannedCount).some(({ recipients }) => recipients.includes(recipient));
    scannedCount = messages.length;
    return hasArrived;
  });
  return Math.round(performance.now() - startedAt);
}

/** Messages per second, measured over the next `count` messages. */
async function timeArrivals({ sink, service }: Scene, count: number): Promise<number> {
  const before = sink.messages.length;
  const startedAt = performance.now();
  await Promise.race([sink.until(({ messages }) => messages.length >= before + count), untilFinished(service)]);
  return Math.round(((sink.messages.length - before) / (performance.now() - startedAt)) * 1_000);
}

async function untilFinished(service: Service): Promise<void> {
  const database = await service.core.database();
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    const row = await database.read(unscoped('the test looks at every workspace'), ({ db }) =>
      db.selectFrom('jobs').select('id').where('state', 'not in', ['done', 'failed']).limit(1).executeTakeFirst(),
    );
    if (row === undefined) return;
    if (performance.now() > deadline) return;
    await pause(250);
  }
}

const makeNames = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index}`);

async function runBatch(
  options: ManyOptions,
  scene: Scene,
  members: WorkerProcesses,
): Promise<Omit<ManyResult, keyof DeliveryAccount>> {
  const { sends, processes, kills } = options;
  const { sink, service } = scene;
  const accepting = performance.now();
  await acceptSends(scene, makeNames('least', sends));
  const acceptRate = Math.round((sends / (performance.now() - accepting)) * 1_000);

  await members.load(processes);
  await members.start(1);
  await sink.until(({ messages }) => messages.length > 0);
  const one = await timeArrivals(scene, Math.floor(sends * ratedShare));
  await members.start(processes - 1);
  const all = await timeArrivals(scene, Math.floor(sends * ratedShare));
  const inBatch = [await timeCode(scene, 'once-before')];
  const leftAtKills: number[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    const [pid = 0] = members.pids;
    leftAtKills.push(sends - sink.messages.length);
    await members.kill(pid);
    inBatch.push(await timeCode(scene, `once-kill-${kill}`));
  }
  await untilFinished(service);
  const idle: number[] = [];
  for (const key of makeNames('once-idle', 3)) idle.push(await timeCode(scene, key));
  await untilFinished(service);

  const endings = await members.stop();
  const errors = members.log.filter(({ level }) => level === 'error').map(({ msg }) => msg);
  return {
    kills: members.kills,
    leftAtKills,
    rates: { accepted: acceptRate, one, all },
    codesMs: { inBatch, idle },
    endings,
    errors: [...errors, ...members.noise],
  };
}

async function runAt(database: DatabaseLocation, options: ManyOptions): Promise<ManyResult> {
  const { leaseMs, plant, answerMs } = options;
  const sink = await SmtpSink.start({ answerMs });
  const service = createMailService({ storage: storageOf(database) });
  const { apiKey } = await seed(service);
  const members = new WorkerProcesses({
    database,
    smtpPort: sink.port,
    leaseMs,
    ...(plant !== undefined && { plant }),
  });
  const entries: JournalEntry[] = [];
  try {
    const measurements = await runBatch(options, { service, apiKey, sink, entries }, members);
    const keys = entries.map((entry) => ('key' in entry ? entry.key : ''));
    return { ...(await reconcileDeliveries({ keys, entries }, storageOf(database), sink.messages)), ...measurements };
  } finally {
    await members.stop();
    await service.stop();
    await sink.stop();
  }
}

export const runManyProcesses = (options: ManyOptions): Promise<ManyResult> =>
  withDatabase(options.kind, (location) => runAt(location, options));

/** A summary of a run in one line. */
export const summaryOf = (kind: DatabaseKind, result: ManyResult): string =>
  [
    `# ${kind}: ${result.accepted} accepted (${result.rates.accepted}/s), ${result.kills} killed`,
    `${result.lost.length} lost, ${result.doubled.length} doubled, ${result.repeats} repeats`,
    `one process ${result.rates.one}/s, all ${result.rates.all}/s`,
    `login codes after ${result.codesMs.inBatch.join(', ')} ms in the batch, ${result.codesMs.idle.join(', ')} ms idle`,
  ].join('; ');

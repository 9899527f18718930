// time-limit: 600
// Two processes on one database that accept and deliver at the same time: nothing is lost or doubled, no caller gets an error for a busy
// database, and the death of one process does not harm the other.
// full-run: slow
import { setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { smtpMail } from '../../adapters/mail/smtp.ts';
import type { Service } from '../../core/kernel/compose.ts';
import { unscoped } from '../../core/storage/scope.ts';
import { reconcileDeliveries } from '../faults/accounting.ts';
import { type DatabaseKind, serverKinds, withDatabase } from '../faults/databases.ts';
import { repeatsPerKill } from '../faults/kill-run.ts';
import { createMailService, type DatabaseLocation, seed, send, storageOf } from '../faults/mail-service.ts';
import { runLife } from '../faults/worker-life.ts';
import type { JournalEntry } from '../faults/worker-plan.ts';
import { SmtpSink } from '../support/smtp-sink.ts';

const test = suite('two processes');
const leaseMs = 2_000;
/** For the test without kills: no lease may expire because a busy machine pauses a process */
const calmLeaseMs = 30_000;

const keysOf = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index}`);

/** Sends every key with `callers` simultaneous callers. Retries only keys that are in use elsewhere. */
async function sendAll(
  service: Service,
  apiKey: string,
  keys: readonly string[],
  callers = 16,
): Promise<JournalEntry[]> {
  const entries: JournalEntry[] = [];
  const waiting = keys.values();
  const caller = async (): Promise<void> => {
    for (const key of waiting) {
      for (;;) {
        const { status, headers, body } = await send(service, apiKey, key);
        if (status === 202) {
          const { id } = JSON.parse(String(body)) as { id: string };
          entries.push({ kind: 'accepted', key, id, replayed: headers['Idempotent-Replay'] === 'true' });
          break;
        }
        if (status !== 409) entries.push({ kind: 'surprise', key, status, body: String(body) });
        if (status !== 409) break;
        await pause(50);
      }
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return entries;
}

async function unfinishedSends(service: Service): Promise<boolean> {
  const database = await service.core.database();
  const rows = await database.read(unscoped('the test looks at every workspace'), ({ db }) =>
    db.selectFrom('jobs').select('id').where('state', 'not in', ['done', 'failed']).limit(1).execute(),
  );
  return rows.length > 0;
}

interface Scene {
  readonly database: DatabaseLocation;
  readonly folder: string;
  readonly apiKey: string;
  readonly sink: SmtpSink;
  readonly service: Service;
  readonly errors: string[];
}

const withScene = (kind: DatabaseKind, jobLeaseMs: number, work: (scene: Scene) => Promise<void>): Promise<void> =>
  withDatabase(kind, (database, folder) => runScene(database, folder, jobLeaseMs, work));

async function runScene(
  database: DatabaseLocation,
  folder: string,
  jobLeaseMs: number,
  work: (scene: Scene) => Promise<void>,
): Promise<void> {
  const sink = await SmtpSink.start();
  const errors: string[] = [];
  const service = createMailService({
    storage: storageOf(database),
    mail: smtpMail({ host: sink.host, port: sink.port, tls: { rejectUnauthorized: false } }),
    settings: { jobLeaseMs, jobPollMs: 100 },
    logger: {
      debug: () => undefined,
      info: () => undefined,
      warn: () => undefined,
      error: (fields, message) => errors.push(`${message} ${JSON.stringify(fields)}`),
    },
  });
  try {
    const { apiKey } = await seed(service);
    await service.start();
    await work({ database, folder, apiKey, sink, service, errors });
  } finally {
    await service.stop();
    await sink.stop();
  }
}

function registerTests(kind: DatabaseKind): void {
  test(`two processes accept and deliver side by side on ${kind}`, () =>
    withScene(kind, calmLeaseMs, async ({ database, folder, apiKey, sink, service, errors }) => {
      const sharedKeys = keysOf('least-shared', 60);
      const [ownKeys, otherKeys] = [keysOf('least-ours', 240), keysOf('least-theirs', 240)];
      let sending: Promise<JournalEntry[]> = Promise.resolve([]);
      const plan = { database, apiKey, smtpPort: sink.port, callers: 16, leaseMs: calmLeaseMs, endWithinMs: 30_000 };
      const otherProcess = await runLife(
        folder,
        { ...plan, keys: [...sharedKeys, ...otherKeys] },
        {
          killAfterMs: 90_000,
          onReady: () => {
            sending = sendAll(service, apiKey, [...sharedKeys, ...ownKeys]);
          },
        },
      );
      const entries = [...(await sending), ...otherProcess.entries];
      while (await unfinishedSends(service)) await pause(20);
      const totals = await reconcileDeliveries(
        { keys: [...sharedKeys, ...ownKeys, ...otherKeys], entries },
        storageOf(database),
        sink.messages,
      );
      console.log(
        `# ${kind}: ${totals.accepted} accepted, ${totals.replayed} replays, ${sink.messages.length} messages`,
      );
      assert.equal(totals.lost, []);
      assert.equal(totals.doubled, []);
      assert.equal(totals.unexpectedAnswers, []);
      assert.equal([...errors, ...otherProcess.errors], []);
      assert.equal(totals.changedIds, []);
      assert.is(totals.accepted, 600);
      assert.is(totals.repeats, 0, 'sent twice although no process died');
      assert.is(totals.unfinished, 0);
    }));

  test(`each of two processes survives the other's death on ${kind}`, () =>
    withScene(kind, leaseMs, async ({ database, folder, apiKey, sink, service, errors }) => {
      const keys = keysOf('least-ours', 900);
      const otherKeys: string[] = [];
      const journal: JournalEntry[] = [];
      let isDone = false;
      const sending = sendAll(service, apiKey, keys).finally(() => {
        isDone = true;
      });
      let kills = 0;
      const plan = { database, apiKey, smtpPort: sink.port, callers: 16, leaseMs };
      while (!isDone || kills < 4) {
        const fresh = keysOf(`least-life${kills}`, 120);
        otherKeys.push(...fresh);
        const killAt = { phase: kills % 2 === 0 ? 'transaction.flushed' : 'job.finishing', occurrence: 40 } as const;
        const life = await runLife(folder, { ...plan, keys: fresh, killAt }, { killAfterMs: 10_000 });
        kills += 1;
        journal.push(...life.entries);
      }
      const entries = [...(await sending), ...journal, ...(await sendAll(service, apiKey, otherKeys))];
      while (await unfinishedSends(service)) await pause(20);
      const totals = await reconcileDeliveries(
        { keys: [...keys, ...otherKeys], entries },
        storageOf(database),
        sink.messages,
      );
      console.log(
        `# ${kind}: ${kills} kills of the other process, ${totals.accepted} accepted, ${totals.repeats} repeats`,
      );
      assert.equal(totals.lost, []);
      assert.equal(totals.doubled, []);
      assert.equal(totals.unexpectedAnswers, []);
      assert.equal(errors, []);
      assert.equal(totals.changedIds, []);
      assert.equal(totals.changedMessageIds, [], 'a message was repeated with another Message-ID');
      assert.ok(totals.repeats <= kills * repeatsPerKill, `${totals.repeats} repeats`);
    }));
}

registerTests('sqlite');
for (const kind of await serverKinds()) registerTests(kind);
test.run();

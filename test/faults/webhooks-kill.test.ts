// time-limit: 600
// Proof by killing for events: a service that accepts events and posts them to webhooks dies by SIGKILL
// at every phase after which work remains, and at random moments. No event is lost, no event has two ids, and each
// subscription has one delivery of each event.
// full-run: kill
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Phase } from '../../core/contract/ports/platform.ts';
import type { Service } from '../../core/kernel/compose.ts';
import { compiledSources } from '../support/compiled.ts';
import { longTests } from '../support/long-tests.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';
import { type DatabaseKind, databaseKinds, withDatabase } from './databases.ts';
import { createMailService, type DatabaseLocation, seed, storageOf } from './mail-service.ts';
import type { EventsPlan } from './webhooks-process.ts';

const test = suite('kills during the delivery of events');
const script = join(await compiledSources(), 'test/faults/webhooks-process.js');
const keysPerLife = 60;
/** The maximum of open requests of one webhook. There are two webhooks. */
const openAtMost = 20;

/** The phases between accepting an event and delivering it. */
const boundaries: readonly Phase[] = [
  'transaction.flushed',
  'transaction.committed',
  'job.claimed',
  'job.started',
  'job.finishing',
  'job.finished',
];

interface Accepted {
  readonly kind: string;
  readonly key: string;
  readonly id: string;
}

let lives = 0;

/** Runs one life. Returns its events. @throws if it ended other than by a kill or in order */
async function live(folder: string, plan: EventsPlan, killAfterMs?: number): Promise<Accepted[]> {
  lives += 1;
  const file = join(folder, `events-${lives}.json`);
  writeFileSync(file, JSON.stringify(plan));
  const child = spawn(process.execPath, [script, file], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let logged = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    logged += text;
  });
  let timer: NodeJS.Timeout | undefined;
  if (killAfterMs !== undefined)
    child.stdout.once('data', () => {
      timer = setTimeout(() => child.kill('SIGKILL'), killAfterMs);
    });
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  clearTimeout(timer);
  if (code !== 0 && signal !== 'SIGKILL') throw new Error(`A life ended with ${code ?? signal}:\n${logged}`);
  const entries = output
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Accepted);
  const surprises = entries.filter(({ kind }) => kind === 'surprise');
  assert.equal(surprises, [], 'answers that nobody expects');
  return entries.filter(({ kind }) => kind === 'accepted');
}

interface Kept {
  readonly events: readonly { readonly id: string; readonly type: string }[];
  readonly deliveries: readonly { readonly event_id: string; readonly webhook_id: string; readonly status: string }[];
}

async function eventsIn(service: Service, workspaceId: string): Promise<Kept['events']> {
  const database = await service.core.database();
  return database.read(workspaceId, ({ db }) =>
    db.selectFrom('outbox').select(['id', 'type']).where('workspace_id', '=', workspaceId).execute(),
  );
}

async function keptIn(service: Service, workspaceId: string, before: Kept['events']): Promise<Kept> {
  const database = await service.core.database();
  const earlier = new Set(before.map(({ id }) => id));
  const all = await eventsIn(service, workspaceId);
  return database.read(workspaceId, async ({ db }) => ({
    events: all.filter(({ id }) => !earlier.has(id)),
    deliveries: await db
      .selectFrom('webhook_deliveries')
      .select(['event_id', 'webhook_id', 'status'])
      .where('workspace_id', '=', workspaceId)
      .execute(),
  }));
}

async function run(kind: DatabaseKind): Promise<void> {
  const receiver = await WebhookReceiver.start();
  try {
    await withDatabase(kind, (database, folder) => runAt(database, folder, receiver));
  } finally {
    await receiver.close();
  }
}

async function runAt(database: DatabaseLocation, folder: string, receiver: WebhookReceiver): Promise<void> {
  const service = createMailService({ storage: storageOf(database), outgoing: { allow: ['127.0.0.1'] } });
  try {
    const { workspaceId, apiKey } = await seed(service);
    const { webhooks } = service.as(workspaceId) as unknown as {
      webhooks: { create(input: { url: string; events: string[] }): Promise<{ id: string }> };
    };
    // These events were emitted before the webhooks subscribed, when the templates were published.
    const before = await eventsIn(service, workspaceId);
    const all = await webhooks.create({ url: `${receiver.url}/all`, events: ['*'] });
    const orders = await webhooks.create({ url: `${receiver.url}/orders`, events: ['order.*'] });

    const idsOf = new Map<string, Set<string>>();
    const owed = new Set<string>();
    const note = (accepted: readonly Accepted[]): void => {
      for (const { key, id } of accepted) {
        idsOf.set(key, (idsOf.get(key) ?? new Set()).add(id));
        owed.delete(key);
      }
    };
    const base = { database, apiKey, workspaceId, leaseMs: 1_000 };
    let kills = 0;
    for (const phase of boundaries) {
      for (let n = 0; n < keysPerLife; n += 1) owed.add(`${phase}-${n}`);
      const killAt = { phase, occurrence: 20 + Math.floor(Math.random() * 60) };
      note(await live(folder, { ...base, keys: [...owed], killAt }, 4_000));
      kills += 1;
      // Kills at a random moment after every second phase; in a long run after every phase.
      if (!longTests && boundaries.indexOf(phase) % 2 === 1) continue;
      note(await live(folder, { ...base, keys: [...owed] }, Math.random() * 600));
      kills += 1;
    }
    note(await live(folder, { ...base, keys: [...owed], toTheEnd: true }));

    const { events, deliveries } = await keptIn(service, workspaceId, before);
    const posted = (path: string) =>
      receiver.received.flatMap((got) => (got.path.endsWith(path) ? [JSON.parse(got.body).id as string] : []));
    const repeats = receiver.received.length - new Set(receiver.received.map(({ path, body }) => path + body)).size;
    console.log(
      `# ${database.kind}: ${kills} kills, ${idsOf.size} events accepted, ${events.length} with those of contacts, ` +
        `${deliveries.length} deliveries, ${receiver.received.length} requests, ${repeats} repeats`,
    );
    assert.is(owed.size, 0);
    assert.is(idsOf.size, boundaries.length * keysPerLife);
    assert.equal(
      [...idsOf.values()].filter((ids) => ids.size !== 1),
      [],
      'one fact, two ids',
    );
    const orderIds = new Set(events.flatMap(({ id, type }) => (type === 'order.paid' ? [id] : [])));
    assert.equal([...orderIds].sort(), [...idsOf.values()].flatMap((ids) => [...ids]).sort(), 'lost or doubled');
    assert.equal([...new Set(posted('/orders'))].sort(), [...orderIds].sort(), 'lost on the way to /orders');
    assert.equal([...new Set(posted('/all'))].sort(), events.map(({ id }) => id).sort(), 'lost on the way to /all');
    const owedTo = (id: string, ids: Iterable<string>) => [...ids].map((event) => `${id} ${event} delivered`);
    assert.equal(
      deliveries.map(({ webhook_id, event_id, status }) => `${webhook_id} ${event_id} ${status}`).sort(),
      [
        ...owedTo(
          all.id,
          events.map(({ id }) => id),
        ),
        ...owedTo(orders.id, orderIds),
      ].sort(),
      'one delivery a subscription',
    );
    // A kill repeats the open requests. On a busy machine, a lease of a second also expires without a kill: hence the factor.
    assert.ok(repeats <= kills * openAtMost * 3, `${repeats} repeats`);
  } finally {
    await service.stop();
  }
}

for (const kind of await databaseKinds())
  test(`no event is lost, and no event has two ids on ${kind}, whenever the process is killed`, () => run(kind));

test.run();

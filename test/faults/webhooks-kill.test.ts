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

interface AcceptedEvents {
  readonly kind: string;
  readonly key: string;
  readonly id: string;
}

let lives = 0;

/** Runs one life. Returns its events. @throws if it ended neither by a kill nor cleanly */
async function runLife(folder: string, plan: EventsPlan, killAfterMs?: number): Promise<AcceptedEvents[]> {
  lives += 1;
  const file = join(folder, `events-${lives}.json`);
  writeFileSync(file, JSON.stringify(plan));
  const child = spawn(process.execPath, [script, file], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let logText = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    logText += text;
  });
  let timer: NodeJS.Timeout | undefined;
  if (killAfterMs !== undefined)
    child.stdout.once('data', () => {
      timer = setTimeout(() => child.kill('SIGKILL'), killAfterMs);
    });
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  clearTimeout(timer);
  if (code !== 0 && signal !== 'SIGKILL') throw new Error(`A life ended with ${code ?? signal}:\n${logText}`);
  const entries = output
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as AcceptedEvents);
  const surprises = entries.filter(({ kind }) => kind === 'surprise');
  assert.equal(surprises, [], 'unexpected answers');
  return entries.filter(({ kind }) => kind === 'accepted');
}

interface StoredRecords {
  readonly events: readonly { readonly id: string; readonly type: string }[];
  readonly deliveries: readonly { readonly event_id: string; readonly webhook_id: string; readonly status: string }[];
}

async function eventsIn(service: Service, workspaceId: string): Promise<StoredRecords['events']> {
  const database = await service.core.database();
  return database.read(workspaceId, ({ db }) =>
    db.selectFrom('outbox').select(['id', 'type']).where('workspace_id', '=', workspaceId).execute(),
  );
}

async function readStored(
  service: Service,
  workspaceId: string,
  before: StoredRecords['events'],
): Promise<StoredRecords> {
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

async function runOn(kind: DatabaseKind): Promise<void> {
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
    const owedIds = new Set<string>();
    const recordAccepted = (accepted: readonly AcceptedEvents[]): void => {
      for (const { key, id } of accepted) {
        idsOf.set(key, (idsOf.get(key) ?? new Set()).add(id));
        owedIds.delete(key);
      }
    };
    const base = { database, apiKey, workspaceId, leaseMs: 1_000 };
    let kills = 0;
    for (const phase of boundaries) {
      for (let n = 0; n < keysPerLife; n += 1) owedIds.add(`${phase}-${n}`);
      const killAt = { phase, occurrence: 20 + Math.floor(Math.random() * 60) };
      recordAccepted(await runLife(folder, { ...base, keys: [...owedIds], killAt }, 4_000));
      kills += 1;
      // Kills at a random moment after every second phase; in a long run after every phase.
      if (!longTests && boundaries.indexOf(phase) % 2 === 1) continue;
      recordAccepted(await runLife(folder, { ...base, keys: [...owedIds] }, Math.random() * 600));
      kills += 1;
    }
    recordAccepted(await runLife(folder, { ...base, keys: [...owedIds], toTheEnd: true }));

    const { events, deliveries } = await readStored(service, workspaceId, before);
    const postedIds = (path: string) =>
      receiver.received.flatMap((got) => (got.path.endsWith(path) ? [JSON.parse(got.body).id as string] : []));
    const repeats = receiver.received.length - new Set(receiver.received.map(({ path, body }) => path + body)).size;
    console.log(
      `# ${database.kind}: ${kills} kills, ${idsOf.size} events accepted, ${events.length} with those of contacts, ` +
        `${deliveries.length} deliveries, ${receiver.received.length} requests, ${repeats} repeats`,
    );
    assert.is(owedIds.size, 0);
    assert.is(idsOf.size, boundaries.length * keysPerLife);
    assert.equal(
      [...idsOf.values()].filter((ids) => ids.size !== 1),
      [],
      'events with two ids',
    );
    const orderIds = new Set(events.flatMap(({ id, type }) => (type === 'order.paid' ? [id] : [])));
    assert.equal(
      [...orderIds].sort(),
      [...idsOf.values()].flatMap((ids) => [...ids]).sort(),
      'events that were lost or doubled',
    );
    assert.equal([...new Set(postedIds('/orders'))].sort(), [...orderIds].sort(), 'events that did not reach /orders');
    assert.equal(
      [...new Set(postedIds('/all'))].sort(),
      events.map(({ id }) => id).sort(),
      'events that did not reach /all',
    );
    const owedIdsOf = (id: string, ids: Iterable<string>) => [...ids].map((event) => `${id} ${event} delivered`);
    assert.equal(
      deliveries.map(({ webhook_id, event_id, status }) => `${webhook_id} ${event_id} ${status}`).sort(),
      [
        ...owedIdsOf(
          all.id,
          events.map(({ id }) => id),
        ),
        ...owedIdsOf(orders.id, orderIds),
      ].sort(),
      'each event has one delivery for each subscription',
    );
    // A kill repeats the open requests. On a busy machine, a lease of a second also expires without a kill: hence the factor.
    assert.ok(repeats <= kills * openAtMost * 3, `${repeats} repeats`);
  } finally {
    await service.stop();
  }
}

for (const kind of await databaseKinds())
  test(`no event is lost, and no event has two ids on ${kind}, whenever the process is killed`, () => runOn(kind));

test.run();

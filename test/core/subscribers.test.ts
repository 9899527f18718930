// In-process subscribers: durable jobs with the retries of a webhook, which get the body of a webhook
// time-limit: 180
// full-run: slow
import * as assert from 'uvu/assert';
import { defineSubscriber, type EventEnvelope } from '../../core/contract/declaration/events.ts';
import type { Plugin } from '../../core/contract/declaration/plugin.ts';
import { createRegistry } from '../../core/kernel/registry.ts';
import { eventText, findEvent } from '../../core/pipeline/event-envelope.ts';
import { createTestService, type TestService } from '../../hosts/testing/test-service.ts';
import { eachDatabase, type TestDatabase } from '../support/databases.ts';
import { parcelPlugin } from './parcel-plugin.ts';

type Bench = TestService<'parcels'>;

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
/** The time between each attempt and the previous one, as documented */
const tableMs = [0, 5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour];

interface SubscriberOptions {
  readonly tablePrefix: string;
  readonly startAt?: number;
  readonly plugin?: Plugin<'parcels'>;
}

const open = (
  database: TestDatabase,
  { tablePrefix, startAt, plugin = parcelPlugin() }: SubscriberOptions,
): Promise<Bench> =>
  createTestService({
    plugins: [plugin],
    storage: database.createStorage(),
    tablePrefix,
    logger: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
    ...(startAt === undefined ? {} : { startAt }),
  });

async function withBench(
  database: TestDatabase,
  work: (bench: Bench) => Promise<void>,
  options: Partial<SubscriberOptions> = {},
): Promise<void> {
  const bench = await open(database, { tablePrefix: database.newPrefix(), ...options });
  try {
    await work(bench);
  } finally {
    await bench.close();
  }
}

/** Packs a parcel over REST. `as` names another event to emit. */
async function pack(bench: Bench, name: string, as?: string, key = bench.liveKey): Promise<void> {
  const body = { name, ...(as === undefined ? {} : { as }) };
  const answer = await bench.request('/v1/parcels', { key, body });
  assert.is(answer.status, 200, JSON.stringify(answer.body));
}

const namesOf = (events: readonly EventEnvelope[]): string[] =>
  events.map(({ type, data }) => {
    const { name, metadata } = data as { name?: string; metadata?: { name: string } };
    return `${type} ${name ?? metadata?.name}`;
  });

await eachDatabase('subscribers', (test, database) => {
  test('if the first process stopped, the next process delivers committed events', async () => {
    const tablePrefix = database.newPrefix();
    const first = await open(database, { tablePrefix });
    first.service.on('parcel.packed', () => assert.unreachable('the first process stopped before the delivery'), {
      name: 'ledger',
    });
    await pack(first, 'p1');
    await first.close();
    const second = await open(database, { tablePrefix, startAt: first.now() });
    try {
      const receivedNames: EventEnvelope[] = [];
      second.service.on('parcel.packed', (event) => void receivedNames.push(event), { name: 'ledger' });
      await second.drain();
      assert.equal(namesOf(receivedNames), ['parcel.packed p1']);
      assert.is(receivedNames[0]?.workspace_id, first.workspaceId);
      await second.drain();
      assert.is(receivedNames.length, 1);
    } finally {
      await second.close();
    }
  });

  test('a failing handler is retried at the documented times, and given up after the eighth attempt', () =>
    withBench(database, async (bench) => {
      let calls = 0;
      bench.service.on('parcel.packed', () => {
        calls += 1;
        throw new Error('The books are closed.');
      });
      await pack(bench, 'p1');
      for (const [index, waitMs] of tableMs.entries()) {
        if (waitMs > 0) {
          bench.advanceClock(waitMs - 1);
          await bench.drain();
          assert.is(calls, index, `not before its time, try ${index + 1}`);
          bench.advanceClock(1);
        }
        await bench.drain();
        assert.is(calls, index + 1, `try ${index + 1}`);
      }
      bench.advanceClock(48 * hour);
      await bench.drain();
      assert.is(calls, tableMs.length);
      const [failedJob, ...others] = await bench.service.jobs.list();
      assert.equal([failedJob?.kind, failedJob?.attempt, others.length], ['on:parcel.packed#1', 8, 0]);
      assert.match(failedJob?.reason ?? '', /books are closed/);
      // An operator removes the cause and retries the job, which again has all of its attempts.
      assert.is(await bench.service.jobs.retry(failedJob?.id ?? ''), true);
      await bench.drain();
      assert.is(calls, tableMs.length + 1);
    }));

  test('a failing subscriber does not delay others', () =>
    withBench(database, async (bench) => {
      const receivedNames: string[] = [];
      bench.service.on('parcel.packed', () => Promise.reject(new Error('Always.')));
      bench.service.on('parcel.packed', ({ data }) => void receivedNames.push(data.name));
      await pack(bench, 'p1');
      await bench.drain();
      assert.equal(receivedNames, ['p1']);
    }));

  test('a subscriber is called with the body that a webhook gets', () =>
    withBench(database, async (bench) => {
      const bodies: EventEnvelope[] = [];
      bench.service.on('*', (event) => void bodies.push(event));
      await pack(bench, 'p1');
      await pack(bench, 'p2', 'order.paid');
      await bench.drain();
      assert.is(bodies.length, 2);
      const { read } = await bench.service.core.database();
      for (const event of bodies) {
        const row = await read(bench.workspaceId, (handle) => findEvent(handle, event.id));
        assert.ok(row);
        assert.is(JSON.stringify(event), row === undefined ? '' : eventText(row));
        assert.equal(Object.keys(event), ['id', 'type', 'timestamp', 'workspace_id', 'source', 'data']);
        assert.is(event.timestamp, new Date(bench.now()).toISOString());
      }
      assert.equal(bodies.find(({ source }) => source === 'service')?.data, { name: 'p1', weight: 0.1 + 0.2 });
    }));

  test('a handler that is not a function is refused at once', () =>
    withBench(database, async ({ service }) => {
      const on = service.on as unknown as (...args: readonly unknown[]) => void;
      assert.throws(() => on('parcel.packed', 'ledger', () => undefined), /second argument must be a function/);
    }));

  test('subscribers to an event, to a family, to everything and to custom names get exactly their events', () =>
    withBench(database, async (bench) => {
      const receivedBy: Record<string, string[]> = {};
      const patterns = ['parcel.packed', 'parcel.*', 'parcel.label.*', '*', 'order.paid', 'order.*', 'other.*'];
      for (const pattern of patterns) {
        receivedBy[pattern] = [];
        bench.service.on(pattern, ({ type, source }) => void receivedBy[pattern]?.push(`${source} ${type}`));
      }
      await pack(bench, 'p1');
      await pack(bench, 'p2', 'parcel.label.printed');
      await pack(bench, 'p3', 'order.paid');
      // A custom event with the name of a catalogue event or of a family reaches only subscribers of `*`.
      await pack(bench, 'p4', 'parcel.packed');
      await pack(bench, 'p5', 'parcel.lost');
      await bench.drain();
      assert.equal(receivedBy['parcel.packed'], ['service parcel.packed']);
      assert.equal(receivedBy['parcel.*']?.sort(), ['service parcel.label.printed', 'service parcel.packed']);
      assert.equal(receivedBy['parcel.label.*'], ['service parcel.label.printed']);
      assert.equal(receivedBy['order.paid'], ['custom order.paid']);
      assert.equal(receivedBy['order.*'], ['custom order.paid']);
      assert.equal(receivedBy['other.*'], []);
      assert.equal(receivedBy['*']?.sort(), [
        'custom order.paid',
        'custom parcel.lost',
        'custom parcel.packed',
        'service parcel.label.printed',
        'service parcel.packed',
      ]);
    }));

  test('a custom event and its subscriber may have any name', () =>
    withBench(database, async (bench) => {
      const receivedNames: string[] = [];
      const names = [`order.${'paid-'.repeat(38)}`, 'Bestellung · gezahlt ✓', '*'];
      for (const name of names)
        bench.service.on(name, ({ type }) => void receivedNames.push(type), { name: `on ${name}` });
      for (const name of names) await pack(bench, 'p1', name);
      await bench.drain();
      assert.equal([...receivedNames].sort(), [...names, ...names.slice(0, 2)].sort());
    }));

  test('subscribers of plugins get a context and retries', () => {
    const receivedNames: string[] = [];
    const plugin = parcelPlugin([
      defineSubscriber({
        name: 'count',
        event: 'parcel.packed',
        async handler({ workspace, attempt, read, jobId }, { data }) {
          const rows = await read(({ trx: { db } }) =>
            db
              .selectFrom('jobs')
              .select('kind')
              .where('workspace_id', '=', workspace.id)
              .where('id', '=', jobId)
              .execute(),
          );
          receivedNames.push(`${rows[0]?.kind} ${data.name} ${attempt}`);
          if (attempt === 1) throw new Error('Once more.');
        },
      }),
    ]);
    return withBench(
      database,
      async (bench) => {
        await pack(bench, 'p1');
        await bench.drain();
        bench.advanceClock(5 * second);
        await bench.drain();
        assert.equal(receivedNames, ['on:parcels.count p1 1', 'on:parcels.count p1 2']);
      },
      { plugin },
    );
  });

  test('a process without the subscriber leaves its job to a process that has it', async () => {
    const tablePrefix = database.newPrefix();
    const first = await open(database, { tablePrefix });
    const second = await open(database, { tablePrefix, startAt: first.now() });
    try {
      const receivedNames: string[] = [];
      first.service.on('parcel.packed', ({ data }) => void receivedNames.push(data.name));
      await pack(first, 'p1');
      await second.drain();
      await second.drain();
      assert.equal(receivedNames, []);
      const [ready] = await first.service.jobs.list({ state: 'ready' });
      assert.equal([ready?.kind, ready?.attempt], ['on:parcel.packed#1', 0]);
      await first.drain();
      assert.equal(receivedNames, ['p1']);
      assert.equal(await first.service.jobs.list({ state: 'failed' }), []);
    } finally {
      await first.close();
      await second.close();
    }
  });

  test('events of the sandbox are marked as sandbox events and stay in the sandbox', () => {
    const sandboxEvents: boolean[] = [];
    const plugin = parcelPlugin([
      defineSubscriber({
        name: 'look',
        event: 'parcel.packed',
        handler: async ({ sandbox }) => void sandboxEvents.push(sandbox),
      }),
    ]);
    return withBench(
      database,
      async (bench) => {
        const synthetic: unknown[] = [];
        bench.service.on('parcel.packed', (event) => void synthetic.push(event.synthetic));
        await pack(bench, 'p1', undefined, bench.testKey);
        await bench.drain();
        await pack(bench, 'p2');
        await bench.drain();
        assert.equal(synthetic, [true, undefined]);
        assert.equal(sandboxEvents, [true, false]);
      },
      { plugin },
    );
  });

  test('a subscriber may call the service, and the resulting events are delivered, too', () =>
    withBench(database, async (bench) => {
      const { service } = bench;
      const receivedNames: string[] = [];
      service.on('order.paid', async ({ workspace_id, data }) => {
        const { name } = (data as { metadata: { name: string } }).metadata;
        await service.as(workspace_id, { actor: 'orders' }).parcels.pack({ name });
      });
      service.on('parcel.packed', ({ data }) => void receivedNames.push(data.name));
      await pack(bench, 'p1', 'order.paid');
      await bench.drain();
      assert.equal(receivedNames, ['p1']);
    }));

  test('a dry run and a refused call notify no subscriber', () =>
    withBench(database, async (bench) => {
      bench.service.on('*', () => assert.unreachable('a subscriber was notified'));
      const headers = { 'dry-run': 'true' };
      const dry = await bench.request('/v1/parcels', { body: { name: 'p1' }, headers });
      assert.equal([dry.status, dry.headers['Dry-Run-Events']], [200, 'parcel.packed']);
      assert.is((await bench.request('/v1/parcels', { body: { name: 1 } })).status, 422);
      await bench.drain();
      assert.equal(await bench.service.jobs.list({ state: 'done' }), []);
    }));

  if (database.name !== 'sqlite') return;

  test('an event that its family does not have is refused, and so is a subscriber name that already exists', () =>
    withBench(database, async ({ service }) => {
      const noop = () => undefined;
      assert.throws(
        // @ts-expect-error: the family has no such event
        () => service.on('parcel.opened', noop),
        'There is no event parcel.opened. The family parcel has parcel.packed, parcel.label.printed.',
      );
      assert.throws(
        // @ts-expect-error: the family has no such event
        () => service.on('parcel.pakced', noop),
        'There is no event parcel.pakced. Did you mean parcel.packed? The family parcel has parcel.packed, parcel.label.printed.',
      );
      service.on('parcel.packed', noop, { name: 'books' });
      assert.throws(() => service.on('*', noop, { name: 'books' }), 'A subscriber with the name books already exists.');
      const misspelt = {
        name: 'x',
        event: 'parcel.opened',
        handler: async () => undefined,
      } as const;
      // @ts-expect-error: the family has no such event
      const unknown = parcelPlugin([defineSubscriber(misspelt)]);
      assert.throws(
        () => createRegistry([unknown], []),
        /The subscriber x of parcels: There is no event parcel.opened/,
      );
    }));
});

// An event without a subscriber is not written. An event with a subscriber always is, even if the subscription was
// created a moment ago in the same transaction or in another process.
// full-run: slow
import * as assert from 'uvu/assert';
import { z } from 'zod';
import type { TransactionContext } from '../../core/contract/context.ts';
import type { EventConsumer } from '../../core/contract/events.ts';
import type { Service } from '../../core/kernel/compose.ts';
import { setInterests } from '../../core/pipeline/event-interests.ts';
import { oneSide } from '../../core/storage/scope.ts';
import { createFixtureKit } from '../../hosts/testing/fixture-kit.ts';
import { createTestService, type TestService } from '../../hosts/testing/test-service.ts';
import { eachDatabase, type TestDatabase } from '../support/databases.ts';
import { parcelPlugin } from './parcel-plugin.ts';

interface Bench extends TestService<'parcels'> {
  /** The dispatched events: each event's type and its subjects. */
  readonly dispatched: string[];
  /** The number of events and jobs in the workspace without subscribers. */
  rows(): Promise<{ readonly events: number; readonly jobs: number }>;
  write(work: (effects: TransactionContext) => Promise<void>): Promise<void>;
}

const data = { name: 'p1', weight: 1 };

async function openBench(database: TestDatabase, minimumTier = 0): Promise<Bench> {
  const dispatched: string[] = [];
  const consumer: EventConsumer = {
    id: 'shelf',
    figure: 'letters_printed',
    async dispatch(_, { type }, subjects) {
      dispatched.push(`${type} ${subjects.join('+')}`);
      return subjects.length;
    },
  };
  // No composed plugin has pages here, but the family is reserved anyway.
  const contact = { id: 'con_1', external_id: null, email: null };
  const customEvents = { data: z.unknown(), example: { contact, metadata: {} }, reservedFamilies: ['page'] };
  const plugin = { ...parcelPlugin(), customEvents };
  const test = await createTestService({
    plugins: [
      { ...plugin, events: plugin.events.map((event) => ({ ...event, minimumTier })), eventConsumers: [consumer] },
    ],
    storage: database.createStorage(),
    tablePrefix: database.newPrefix(),
  });
  // A test service subscribes to every event of its own workspace, so these tests use the other workspace.
  const workspaceId = test.foreignWorkspaceId;
  return {
    ...test,
    dispatched,
    write: (work) => createFixtureKit(test).write(work, workspaceId),
    async rows() {
      const count = async (table: 'outbox' | 'jobs'): Promise<number> => {
        const { read } = await test.service.core.database();
        const rows = await read(workspaceId, ({ db }) =>
          db.selectFrom(table).select('id').where('workspace_id', '=', workspaceId).execute(),
        );
        return rows.length;
      };
      return { events: await count('outbox'), jobs: await count('jobs') };
    },
  };
}

/** Stores a consumer's subscription in its own transaction. */
async function subscribe(
  { core }: Pick<Service, 'core'>,
  workspaceId: string,
  patterns: readonly string[],
  subject = 's1',
  sandbox = false,
) {
  const { transact } = await core.database();
  await transact((scope) =>
    setInterests(scope.handle(oneSide(workspaceId, sandbox)), { consumer: 'shelf', subject }, patterns),
  );
}

await eachDatabase('wanted events', (test, database) => {
  const each = (name: string, work: (bench: Bench) => Promise<void>, minimumTier?: number) =>
    test(name, async () => {
      const bench = await openBench(database, minimumTier);
      try {
        await work(bench);
      } finally {
        await bench.close();
      }
    });

  const emit = async (effects: TransactionContext): Promise<void> => void effects.emit('parcel.packed', data);
  const nothing = { events: 0, jobs: 0 };

  each('one that nobody wants leaves neither a row nor a job', async (bench) => {
    await bench.write(emit);
    await bench.write(async (effects) => {
      const contact = { id: 'con_1', external_id: null, email: null };
      const { fanOut } = await effects.emitCustom('order.paid', { contact, metadata: {} }, { subject: contact.id });
      assert.equal(fanOut, { letters_printed: 0 });
    });
    assert.equal(await bench.rows(), nothing);
    // Other patterns, and subscriptions of another workspace, have no effect.
    await subscribe(bench.service, bench.foreignWorkspaceId, ['parcel.label.*', 'parcel.label.printed', 'order.paid']);
    await subscribe(bench.service, bench.workspaceId, ['*']);
    await bench.write(emit);
    assert.equal(await bench.rows(), nothing);
  });

  each('one that a pattern names is written once, with one job for its consumer', async (bench) => {
    for (const [index, pattern] of ['parcel.packed', 'parcel.*', '*'].entries()) {
      await subscribe(bench.service, bench.foreignWorkspaceId, [pattern]);
      await bench.write(emit);
      assert.equal(await bench.rows(), { events: index + 1, jobs: index + 1 }, pattern);
    }
    await subscribe(bench.service, bench.foreignWorkspaceId, ['parcel.packed', 'parcel.*', '*']);
    await subscribe(bench.service, bench.foreignWorkspaceId, ['*'], 's2');
    await bench.write(emit);
    assert.equal(await bench.rows(), { events: 4, jobs: 4 });
    await bench.drain();
    // The recipients are looked up when the job runs.
    assert.equal(bench.dispatched, Array(4).fill('parcel.packed s1+s2'));
    await subscribe(bench.service, bench.foreignWorkspaceId, []);
    await subscribe(bench.service, bench.foreignWorkspaceId, [], 's2');
    await bench.write(emit);
    assert.is((await bench.rows()).events, 4);
  });

  each('a subscription in the same transaction counts, before the event and after it', async (bench) => {
    const wish = (effects: TransactionContext) =>
      setInterests(effects.trx, { consumer: 'shelf', subject: 's1' }, ['parcel.packed']);
    const takeBack = (effects: TransactionContext) =>
      setInterests(effects.trx, { consumer: 'shelf', subject: 's1' }, []);
    await bench.write(async (effects) => {
      await wish(effects);
      await emit(effects);
    });
    assert.equal(await bench.rows(), { events: 1, jobs: 1 });
    await bench.write(takeBack);
    await bench.write(async (effects) => {
      await emit(effects);
      await wish(effects);
    });
    assert.equal(await bench.rows(), { events: 2, jobs: 2 });
    await bench.write(async (effects) => {
      await takeBack(effects);
      await emit(effects);
    });
    assert.equal(await bench.rows(), { events: 2, jobs: 2 });
  });

  each('a subscriber in the process is enough, and gets a job of its own', async (bench) => {
    const heard: string[] = [];
    bench.service.on('parcel.*', ({ type }) => void heard.push(type));
    await bench.write(emit);
    assert.equal(await bench.rows(), { events: 1, jobs: 1 });
    await subscribe(bench.service, bench.foreignWorkspaceId, ['*']);
    await bench.write(emit);
    assert.equal(await bench.rows(), { events: 2, jobs: 3 });
    await bench.drain();
    assert.equal([heard, bench.dispatched], [['parcel.packed', 'parcel.packed'], ['parcel.packed s1']]);
  });

  each('one is written where a consumer of its side wants it, and its job stays there', async (bench) => {
    const synthetic = async (effects: TransactionContext) =>
      void effects.emit('parcel.packed', data, { synthetic: true });
    await subscribe(bench.service, bench.foreignWorkspaceId, ['*'], 'live');
    await bench.write(synthetic);
    assert.equal(await bench.rows(), nothing);
    await subscribe(bench.service, bench.foreignWorkspaceId, ['*'], 'tried', true);
    await bench.write(synthetic);
    await bench.write(emit);
    assert.equal(await bench.rows(), { events: 2, jobs: 2 });
    await bench.drain();
    assert.equal(bench.dispatched.sort(), ['parcel.packed live', 'parcel.packed tried']);
  });

  each('a custom event tells in its transaction how many it reaches', async (bench) => {
    await subscribe(bench.service, bench.foreignWorkspaceId, ['order.paid', 'page.ready']);
    await subscribe(bench.service, bench.foreignWorkspaceId, ['*'], 's2');
    await bench.write(async (effects) => {
      const contact = { id: 'con_1', external_id: null, email: null };
      const { fanOut } = await effects.emitCustom('order.paid', { contact, metadata: {} }, { subject: contact.id });
      assert.equal(fanOut, { letters_printed: 2 });
      for (const name of ['parcel.packed', 'page.ready']) {
        const borrowed = await effects.emitCustom(name, { contact, metadata: {} }, { subject: contact.id });
        assert.equal(borrowed.fanOut, { letters_printed: 1 });
      }
    });
    assert.equal(bench.dispatched, ['order.paid s1+s2', 'parcel.packed s2', 'page.ready s2']);
    assert.equal(await bench.rows(), { events: 3, jobs: 0 });
  });

  each(
    'below its tier no consumer is told, and subscribers in the process are',
    async (bench) => {
      const heard: string[] = [];
      bench.service.on('parcel.packed', ({ type }) => void heard.push(type));
      await subscribe(bench.service, bench.foreignWorkspaceId, ['*']);
      await bench.write(emit);
      assert.equal(await bench.rows(), { events: 1, jobs: 1 });
      await bench.service.workspaces.update(bench.foreignWorkspaceId, { plan: 'scale' });
      await bench.write(emit);
      assert.equal(await bench.rows(), { events: 2, jobs: 3 });
      await bench.drain();
      assert.equal([heard.length, bench.dispatched], [2, ['parcel.packed s1']]);
    },
    3,
  );

  // SQLite has one writer: no other transaction can commit while one is open.
  if (database.name === 'sqlite') return;

  each('a subscription that another process committed meanwhile is not missed', async (bench) => {
    await bench.write(async (effects) => {
      // Rows that this transaction already read must not decide.
      const before = await effects.trx.db
        .selectFrom('event_interests')
        .select('subject')
        .where('workspace_id', '=', effects.workspace.id)
        .execute();
      assert.equal(before, []);
      await subscribe(bench.service, bench.foreignWorkspaceId, ['parcel.packed']);
      await emit(effects);
    });
    assert.equal(await bench.rows(), { events: 1, jobs: 1 });
    await bench.drain();
    assert.equal(bench.dispatched, ['parcel.packed s1']);
  });
});

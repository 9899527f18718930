// An event without a subscriber is not written. An event with a subscriber is always written, even if the subscription was created a
// moment ago in the same transaction or in another process.
// full-run: slow
import * as assert from 'uvu/assert';
import { z } from 'zod';
import type { TransactionContext } from '../../core/contract/context/context.ts';
import type { EventConsumer } from '../../core/contract/declaration/events.ts';
import type { Service } from '../../core/kernel/compose.ts';
import { setInterests } from '../../core/pipeline/event-interests.ts';
import { oneSide } from '../../core/storage/scope.ts';
import { createFixtureKit } from '../../hosts/testing/fixture-kit.ts';
import { createTestService, type TestService } from '../../hosts/testing/test-service.ts';
import { eachDatabase, type TestDatabase } from '../support/databases.ts';
import { parcelPlugin } from './parcel-plugin.ts';

interface Bench extends TestService<'parcels'> {
  /** The dispatched events, each with its type and its subjects */
  readonly dispatched: string[];
  /** The number of events and jobs in the workspace without subscribers. */
  rows(): Promise<{ readonly events: number; readonly jobs: number }>;
  write(work: (ctx: TransactionContext) => Promise<void>): Promise<void>;
}

const data = { name: 'p1', weight: 1 };

async function openBench(database: TestDatabase, minimumTier = 0): Promise<Bench> {
  const dispatched: string[] = [];
  const consumer: EventConsumer = {
    id: 'shelf',
    countName: 'letters_printed',
    async dispatch(_, { type }, subjects) {
      dispatched.push(`${type} ${subjects.join('+')}`);
      return subjects.length;
    },
  };
  // No composed plugin has pages here, but the family is reserved nevertheless.
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
  subscriberId = 's1',
  sandbox = false,
) {
  const { transact } = await core.database();
  await transact((scope) =>
    setInterests(scope.handle(oneSide(workspaceId, sandbox)), { consumer: 'shelf', subscriberId }, patterns),
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

  const emit = async (ctx: TransactionContext): Promise<void> => void ctx.emit('parcel.packed', data);
  const noEvents = { events: 0, jobs: 0 };

  each('an event without a subscriber leaves neither a row nor a job', async (bench) => {
    await bench.write(emit);
    await bench.write(async (ctx) => {
      const contact = { id: 'con_1', external_id: null, email: null };
      const { fanOut } = await ctx.emitCustom('order.paid', { contact, metadata: {} }, { subject: contact.id });
      assert.equal(fanOut, { letters_printed: 0 });
    });
    assert.equal(await bench.rows(), noEvents);
    // Other patterns, and subscriptions of another workspace, have no effect.
    await subscribe(bench.service, bench.foreignWorkspaceId, ['parcel.label.*', 'parcel.label.printed', 'order.paid']);
    await subscribe(bench.service, bench.workspaceId, ['*']);
    await bench.write(emit);
    assert.equal(await bench.rows(), noEvents);
  });

  each('an event that matches a pattern is written once, with one job for its consumer', async (bench) => {
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

  each('a subscription in the same transaction counts, even if it is stored after the event', async (bench) => {
    const subscribeInside = (ctx: TransactionContext) =>
      setInterests(ctx.trx, { consumer: 'shelf', subscriberId: 's1' }, ['parcel.packed']);
    const unsubscribeInside = (ctx: TransactionContext) =>
      setInterests(ctx.trx, { consumer: 'shelf', subscriberId: 's1' }, []);
    await bench.write(async (ctx) => {
      await subscribeInside(ctx);
      await emit(ctx);
    });
    assert.equal(await bench.rows(), { events: 1, jobs: 1 });
    await bench.write(unsubscribeInside);
    await bench.write(async (ctx) => {
      await emit(ctx);
      await subscribeInside(ctx);
    });
    assert.equal(await bench.rows(), { events: 2, jobs: 2 });
    await bench.write(async (ctx) => {
      await unsubscribeInside(ctx);
      await emit(ctx);
    });
    assert.equal(await bench.rows(), { events: 2, jobs: 2 });
  });

  each('an event with only an in-process subscriber is written, and the subscriber gets its own job', async (bench) => {
    const types: string[] = [];
    bench.service.on('parcel.*', ({ type }) => void types.push(type));
    await bench.write(emit);
    assert.equal(await bench.rows(), { events: 1, jobs: 1 });
    await subscribe(bench.service, bench.foreignWorkspaceId, ['*']);
    await bench.write(emit);
    assert.equal(await bench.rows(), { events: 2, jobs: 3 });
    await bench.drain();
    assert.equal([types, bench.dispatched], [['parcel.packed', 'parcel.packed'], ['parcel.packed s1']]);
  });

  each(
    'an event is written if a consumer on its side subscribes to it, and its job stays on this side',
    async (bench) => {
      const synthetic = async (ctx: TransactionContext) => void ctx.emit('parcel.packed', data, { synthetic: true });
      await subscribe(bench.service, bench.foreignWorkspaceId, ['*'], 'live');
      await bench.write(synthetic);
      assert.equal(await bench.rows(), noEvents);
      await subscribe(bench.service, bench.foreignWorkspaceId, ['*'], 'tried', true);
      await bench.write(synthetic);
      await bench.write(emit);
      assert.equal(await bench.rows(), { events: 2, jobs: 2 });
      await bench.drain();
      assert.equal(bench.dispatched.sort(), ['parcel.packed live', 'parcel.packed tried']);
    },
  );

  each('a custom event returns the number of consumers that it reaches, inside its transaction', async (bench) => {
    await subscribe(bench.service, bench.foreignWorkspaceId, ['order.paid', 'page.ready']);
    await subscribe(bench.service, bench.foreignWorkspaceId, ['*'], 's2');
    await bench.write(async (ctx) => {
      const contact = { id: 'con_1', external_id: null, email: null };
      const { fanOut } = await ctx.emitCustom('order.paid', { contact, metadata: {} }, { subject: contact.id });
      assert.equal(fanOut, { letters_printed: 2 });
      for (const name of ['parcel.packed', 'page.ready']) {
        const result = await ctx.emitCustom(name, { contact, metadata: {} }, { subject: contact.id });
        assert.equal(result.fanOut, { letters_printed: 1 });
      }
    });
    assert.equal(bench.dispatched, ['order.paid s1+s2', 'parcel.packed s2', 'page.ready s2']);
    assert.equal(await bench.rows(), { events: 3, jobs: 0 });
  });

  each(
    'below its minimum tier an event reaches no consumer, but does reach in-process subscribers',
    async (bench) => {
      const types: string[] = [];
      bench.service.on('parcel.packed', ({ type }) => void types.push(type));
      await subscribe(bench.service, bench.foreignWorkspaceId, ['*']);
      await bench.write(emit);
      assert.equal(await bench.rows(), { events: 1, jobs: 1 });
      await bench.service.workspaces.update(bench.foreignWorkspaceId, { plan: 'scale' });
      await bench.write(emit);
      assert.equal(await bench.rows(), { events: 2, jobs: 3 });
      await bench.drain();
      assert.equal([types.length, bench.dispatched], [2, ['parcel.packed s1']]);
    },
    3,
  );

  // SQLite has one writer, so no other transaction can commit while one is open.
  if (database.name === 'sqlite') return;

  each('an event reaches a subscription that another process committed during the transaction', async (bench) => {
    await bench.write(async (ctx) => {
      // The decision must not depend on rows that this transaction has already read.
      const before = await ctx.trx.db
        .selectFrom('event_interests')
        .select('subject')
        .where('workspace_id', '=', ctx.workspace.id)
        .execute();
      assert.equal(before, []);
      await subscribe(bench.service, bench.foreignWorkspaceId, ['parcel.packed']);
      await emit(ctx);
    });
    assert.equal(await bench.rows(), { events: 1, jobs: 1 });
    await bench.drain();
    assert.equal(bench.dispatched, ['parcel.packed s1']);
  });
});

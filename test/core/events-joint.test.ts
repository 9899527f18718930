// Events that one call emits together are dispatched in one job for each hundred events, if the consumer supports this. If the job fails,
// each event is dispatched separately.
import * as assert from 'uvu/assert';
import type { EventConsumer } from '../../core/contract/declaration/events.ts';
import { setInterests } from '../../core/pipeline/event-interests.ts';
import { oneSide } from '../../core/storage/scope.ts';
import { createFixtureKit } from '../../hosts/testing/fixture-kit.ts';
import { createTestService } from '../../hosts/testing/test-service.ts';
import { eachDatabase, type TestDatabase } from '../support/databases.ts';
import { parcelPlugin } from './parcel-plugin.ts';

async function openBench(database: TestDatabase, fails: boolean) {
  const batchSizes: number[] = [];
  const dispatchedAlone: string[] = [];
  const nameOf = ({ data }: { readonly data: unknown }) => (data as { name: string }).name;
  const shelf: EventConsumer = {
    id: 'shelf',
    countName: 'letters_printed',
    dispatch(_, event) {
      dispatchedAlone.push(nameOf(event));
      return 1;
    },
    async dispatchEach(_, events) {
      batchSizes.push(events.length);
      if (fails) throw new Error('The shelf is full.');
      return events.filter((event) => nameOf(event) === 'p7');
    },
  };
  const test = await createTestService({
    plugins: [{ ...parcelPlugin(), eventConsumers: [shelf] }],
    storage: database.createStorage(),
    tablePrefix: database.newPrefix(),
  });
  const workspaceId = test.foreignWorkspaceId;
  const { transact } = await test.service.core.database();
  for (const sandbox of [false, true])
    await transact((scope) =>
      setInterests(scope.handle(oneSide(workspaceId, sandbox)), { consumer: 'shelf', subscriberId: 's1' }, ['*']),
    );
  const emit = (count: number, options: { readonly synthetic?: true } = {}) =>
    createFixtureKit(test).write(async (ctx) => {
      const items = Array.from({ length: count }, (_, index) => ({
        data: { name: `p${index}`, weight: 1 },
        ...options,
      }));
      await ctx.emitEach('parcel.packed', items);
    }, workspaceId);
  return { ...test, emit, together: batchSizes, alone: dispatchedAlone };
}

await eachDatabase('events emitted together', (test, database) => {
  const each = (name: string, fails: boolean, work: (bench: Awaited<ReturnType<typeof openBench>>) => Promise<void>) =>
    test(name, async () => {
      const bench = await openBench(database, fails);
      try {
        await work(bench);
      } finally {
        await bench.close();
      }
    });

  each(
    'events are dispatched in batches of a hundred, and an event that the batch does not handle is dispatched separately',
    false,
    async (bench) => {
      await bench.emit(250);
      await bench.drain();
      assert.equal(bench.together.sort(), [100, 100, 50]);
      assert.equal(bench.alone, ['p7']);
    },
  );

  each(
    'a single event is dispatched separately, and so are sandbox events that a live call emits',
    false,
    async (bench) => {
      await bench.emit(1);
      await bench.emit(2, { synthetic: true });
      await bench.drain();
      assert.equal([bench.together, bench.alone.sort()], [[], ['p0', 'p0', 'p1']]);
    },
  );

  each('if a batch fails, each of its events is dispatched separately', true, async (bench) => {
    await bench.emit(3);
    await bench.drain();
    bench.advanceClock(60_000);
    await bench.drain();
    assert.equal([bench.together, bench.alone.sort()], [[3], ['p0', 'p1', 'p2']]);
  });
});

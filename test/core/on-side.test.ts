// `onSide` returns a context for the given side of the workspace: for the rows of reads, and for the rows, events and jobs of
// transactions.
import * as assert from 'uvu/assert';
import { defineOperation, definePlugin, type OperationContext, onSide, type StoredRow, z } from '../../core/index.ts';
import { oneSide } from '../../core/storage/scope.ts';
import { createTestService, type TestService } from '../../hosts/testing/test-service.ts';
import { eachDatabase } from '../support/databases.ts';
import { berths, harbourPlugin } from './harbour-plugin.ts';

declare module '../../core/contract/open.ts' {
  interface Tables {
    berths: StoredRow<typeof berths.table>;
  }
}

type Work = (ctx: OperationContext) => Promise<void>;
let work: Work;
const commonFields = { scopes: ['harbours:write'], output: z.object({}), fixture: async () => ({}) } as const;
const handler = async (ctx: OperationContext) => work(ctx).then(() => ({}));
const readOperation = defineOperation({
  ...commonFields,
  id: 'sides.read',
  summary: 'Read',
  http: 'GET /v1/sides',
  idempotency: 'read',
  handler,
});
const write = defineOperation({
  ...commonFields,
  id: 'sides.write',
  summary: 'Write',
  http: 'POST /v1/sides',
  idempotency: 'natural',
  emits: ['berth.made'],
  audit: { action: 'side.write', target: () => ({ kind: 'side', id: 'one' }) },
  handler,
});
const sidesPlugin = definePlugin({ id: 'sides', operations: [readOperation, write] });

/** The labels of the berths that the handle reaches. */
const labels = async ({ trx }: Pick<OperationContext, 'trx'>): Promise<string> =>
  (await berths.rows.page(trx, { limit: 9 }))
    .map(({ label }) => label)
    .sort()
    .join();

await eachDatabase('contexts on one side', (test, database) => {
  let kit: TestService<'harbours' | 'sides'>;
  let inspectedLabels: string[];
  const foreignId = 'bth_foreign';
  const berth = async (key: string, label: string): Promise<string> => {
    const harbour = await kit.request('/v1/harbours', { key, body: { harbour_name: label } });
    const creation = await kit.request('/v1/berths', { key, body: { harbourId: harbour.body.harbour_id, label } });
    assert.is(creation.status, 201, JSON.stringify(creation.body));
    return creation.body.berthId;
  };
  const runOn = async (method: 'GET' | 'POST', key: string, action: Work) => {
    work = action;
    const { status, body, cause } = await kit.request('/v1/sides', { method, key });
    assert.is(status, 200, cause ?? JSON.stringify(body));
  };
  /** The side of each event and each job with the label, in the order of writing. */
  const sidesOf = async (label: string) =>
    (await kit.service.core.database()).read(kit.workspaceId, async ({ db }) => {
      const events = await db.selectFrom('outbox').select(['data', 'synthetic']).orderBy('id').execute();
      const jobs = await db
        .selectFrom('jobs')
        .select(['payload', 'sandbox'])
        .where('kind', '=', 'berths.inspect')
        .execute();
      return {
        events: events.filter(({ data }) => data.includes(label)).map(({ synthetic }) => synthetic),
        jobs: jobs.filter(({ payload }) => payload.includes(label)).map(({ sandbox }) => sandbox),
      };
    });
  const tell = ({ emit, enqueue }: Pick<OperationContext, 'emit' | 'enqueue'>, label: string) => {
    emit('berth.made', { id: 'bth_1', label });
    enqueue({ kind: 'berths.inspect', key: label, payload: { label } });
  };

  test.before.each(async () => {
    inspectedLabels = [];
    kit = await createTestService({
      plugins: [harbourPlugin(inspectedLabels), sidesPlugin],
      storage: database.createStorage(),
      tablePrefix: database.newPrefix(),
    });
    await berth(kit.liveKey, 'live');
    await berth(kit.testKey, 'sandbox');
    const { read, transact } = await kit.service.core.database();
    const ownRows = await read(kit.workspaceId, ({ db }) =>
      db.selectFrom('berths').selectAll().executeTakeFirstOrThrow(),
    );
    await transact((scope) =>
      berths.rows.insert(scope.handle(oneSide(kit.foreignWorkspaceId, false)), {
        ...berths.rows.decode(ownRows),
        id: foreignId,
        label: 'foreign',
      }),
    );
  });
  test.after.each(() => kit.close());

  for (const side of ['live', 'sandbox'] as const) {
    test(`a ${side} read reaches the rows of the selected side, and afterwards the rows of its own side again`, async () => {
      await runOn('GET', side === 'live' ? kit.liveKey : kit.testKey, async (ctx) => {
        assert.is(await labels(ctx), side);
        for (const sandbox of [true, false, true]) {
          const sideContext = onSide(ctx, sandbox);
          assert.equal([sideContext.sandbox, await labels(sideContext)], [sandbox, sandbox ? 'sandbox' : 'live']);
          const back = onSide(sideContext, !sandbox);
          assert.equal([back.sandbox, await labels(back)], [!sandbox, sandbox ? 'live' : 'sandbox']);
        }
        assert.is(await labels(ctx), side, 'the first context keeps its side');
      });
    });
  }

  test('a live transaction writes rows, events and jobs of the selected side, and afterwards of its own side again', async () => {
    await runOn('POST', kit.liveKey, async (ctx) => {
      const sandbox = onSide(ctx, true);
      const [row] = await berths.rows.page(sandbox.trx, { limit: 1 });
      if (row === undefined) throw new Error('The sandbox has no berth.');
      await berths.rows.change(sandbox.trx, row, { depth: 9 });
      tell(sandbox, 'there');
      await sandbox.emitIfSubscribed('berth.made', async () => ({ id: 'bth_1', label: 'wanted' }));
      await sandbox.emitEach('berth.made', [{ data: { id: 'bth_1', label: 'each' } }]);
      const live = onSide(sandbox, false);
      assert.is(await labels(live), 'live');
      tell(live, 'back');
      await live.emitEach('berth.made', [{ data: { id: 'bth_1', label: 'at home' } }]);
    });
    assert.equal(await sidesOf('there'), { events: [1], jobs: [1] });
    assert.equal((await sidesOf('wanted')).events, [1]);
    assert.equal((await sidesOf('each')).events, [1]);
    assert.equal(await sidesOf('back'), { events: [0], jobs: [0] });
    assert.equal((await sidesOf('at home')).events, [0]);
  });

  test('the effects of a sandbox transaction stay in the sandbox, even if the handler switches to the live side', async () => {
    await runOn('POST', kit.testKey, async (ctx) => {
      const live = onSide(ctx, false);
      assert.is(await labels(live), 'live');
      tell(live, 'there');
      tell(onSide(live, true), 'back');
    });
    assert.equal(await sidesOf('there'), { events: [1], jobs: [1] });
    assert.equal(await sidesOf('back'), { events: [1], jobs: [1] });
  });

  test('a job is canceled on the side that the context names', async () => {
    await runOn('POST', kit.liveKey, async (ctx) => {
      const sandbox = onSide(ctx, true);
      tell(ctx, 'same key');
      tell(sandbox, 'same key');
      assert.is(await sandbox.cancelJob('same key'), true);
      assert.is(await sandbox.cancelJob({ key: 'same key', kind: 'berths.inspect' }), false);
    });
    assert.equal((await sidesOf('same key')).jobs, [0]);
    await runOn('POST', kit.liveKey, async (ctx) =>
      assert.is(await onSide(onSide(ctx, true), false).cancelJob('same key'), true),
    );
    assert.equal((await sidesOf('same key')).jobs, []);
  });

  test('neither side reaches rows of another workspace', async () => {
    await runOn('POST', kit.liveKey, async (ctx) => {
      for (const sandbox of [true, false]) {
        const { trx } = onSide(ctx, sandbox);
        assert.is(trx.workspaceId, kit.workspaceId);
        assert.is(await berths.rows.find(trx, foreignId), undefined);
        assert.is(await berths.rows.update(trx, foreignId, { depth: 1 }), false);
        assert.is(await berths.rows.remove(trx, foreignId), false);
        const foreignQuery = trx.db.selectFrom('berths').where('workspace_id', '=', kit.foreignWorkspaceId);
        assert.equal(await foreignQuery.select('id').execute(), []);
      }
    });
    const { read } = await kit.service.core.database();
    const foreignRow = await read(kit.foreignWorkspaceId, (trx) => berths.rows.find(trx, foreignId));
    assert.equal([foreignRow?.label, foreignRow?.depth], ['foreign', 5]);
  });
});

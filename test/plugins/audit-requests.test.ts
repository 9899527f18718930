// The log of requests: its rows, which requests it has, who sees them, and when they are written and deleted.
// full-run: slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { localKeyring } from '../../adapters/keyring/local.ts';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { createService } from '../../core/index.ts';
import { createRequestLog } from '../../core/pipeline/request-log.ts';
import { unscoped } from '../../core/storage/scope.ts';
import { twoDatabases } from '../support/databases.ts';
import { migratedTestService } from '../support/migrated-tables.ts';
import { bareStandardPlugins } from '../support/plugins.ts';

const hour = 3_600_000;
type Row = Readonly<Record<string, unknown>>;

const test = suite('the log of requests on AWS Lambda');

await twoDatabases('the log of requests', (test, database) => {
  const open = (options: Partial<Parameters<typeof migratedTestService>[1]> = {}) =>
    migratedTestService<string>(database, { plugins: bareStandardPlugins, requestLog: true, ...options });
  type Bench = Awaited<ReturnType<typeof open>>;
  const list = async (bench: Bench, query = '', key = bench.liveKey): Promise<Row[]> => {
    const { status, body } = await bench.request(`/v1/requests${query}`, { key });
    assert.is(status, 200, JSON.stringify(body));
    return body.data;
  };
  const rowsIn = async ({ service: { core } }: Bench) =>
    (await core.database()).read(unscoped('the test looks at every workspace'), ({ db }) =>
      db.selectFrom('request_log').selectAll().execute(),
    );
  const brief = ({ method, route, status }: Row) => `${method} ${route} ${status}`;

  test('a row has the declared route and no path, query or body; it is written after the answer', async () => {
    const bench = await open();
    try {
      const read = await bench.request('/v1/contacts/con_ada?fields=ada%40example.com', {});
      assert.is(read.status === 200, false);
      assert.equal(await rowsIn(bench), [], 'the request did not wait for its row');
      await bench.drain();
      const [row] = await list(bench);
      assert.equal(Object.keys(row ?? {}).sort(), [
        'id',
        'key_id',
        'method',
        'ms',
        'request_id',
        'route',
        'status',
        'ts',
      ]);
      assert.is(brief(row ?? {}), `GET /v1/contacts/{contactId} ${read.status}`);
      assert.is(row?.request_id, read.headers['X-Request-Id']);
      assert.match(String(row?.key_id), /^key_/);
      assert.ok(Number.isInteger(row?.ms));
      assert.not.match(JSON.stringify(await rowsIn(bench)), /con_ada|ada%40|ada@/);
    } finally {
      await bench.close();
    }
  });

  test('a request with a key has a row even if it is refused; a request without a key has no row; each side sees its own rows', async () => {
    const bench = await open({ plans: { pro: { keyRate: 0.001, keyBurst: 3, workspacePerMinute: 100 } } });
    try {
      const narrow = await bench.keyWith(['sends:read']);
      await bench.request('/v1/audit', { key: narrow });
      await bench.request('/v1/nowhere', { key: narrow });
      await bench.request('/v1/sends', { key: 'postrider_live_wrong' });
      await bench.request('/v1/sends', { key: '' });
      const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_sends', arguments: {} } };
      await bench.request('/v1/mcp', { key: narrow, body: call });
      await bench.request('/v1/sends', { key: narrow });
      await bench.request('/v1/sends', { key: narrow });
      await bench.request('/v1/workspace', { key: bench.testKey });
      await bench.drain();
      const live = (await list(bench)).map(brief).sort();
      assert.equal(live, ['GET /v1/audit 403', 'GET /v1/sends 200', 'GET /v1/sends 429', 'POST /v1/mcp 200']);
      assert.equal((await list(bench, '', bench.testKey)).map(brief), ['GET /v1/workspace 200']);
    } finally {
      await bench.close();
    }
  });

  test("the list has pages and times; rows are kept for a day, or as long as the program's setting says", async () => {
    const bench = await open({ retention: { requests: '2 hours' } });
    try {
      for (let count = 0; count < 5; count += 1) {
        await bench.request('/v1/workspace', {});
        bench.advanceClock(1_000);
      }
      await bench.drain();
      const seen: unknown[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const { body } = await bench.request(`/v1/requests?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
        seen.push(...body.data.map(({ ts }: Row) => ts));
        cursor = body.next_cursor;
      }
      assert.is(seen.length, 5);
      assert.equal(seen, [...seen].sort().reverse());
      assert.is((await list(bench, `?since=${seen[1]}`)).length, 2);
      assert.is((await list(bench, `?until=${seen[1]}`)).length, 3);
      bench.advanceClock(3 * hour);
      await bench.drain();
      bench.advanceClock(hour);
      await bench.drain();
      const remaining = await rowsIn(bench);
      assert.ok(
        remaining.every(({ ts }) => ts >= bench.now() - 3 * hour),
        'old rows are deleted',
      );
    } finally {
      await bench.close();
    }
  });

  test('nothing is logged if the option is off, and a deleted workspace gets no rows', async () => {
    const off = await open({ requestLog: false });
    try {
      await off.request('/v1/workspace', {});
      await off.drain();
      assert.equal(await rowsIn(off), []);
    } finally {
      await off.close();
    }
    const bench = await open();
    try {
      await bench.request('/v1/workspace', {});
      await bench.service.workspaces.delete(bench.workspaceId);
      await bench.drain();
      assert.equal(
        (await rowsIn(bench)).filter((row) => row.workspace_id === bench.workspaceId),
        [],
      );
    } finally {
      await bench.close();
    }
  });

  test('a process that stops writes the rows that it has collected', async () => {
    const bench = await open();
    await bench.request('/v1/workspace', {});
    const { core } = bench.service;
    assert.is(core.requestLog?.pending, true);
    await bench.service.settle({ budgetMs: 0 });
    assert.is(core.requestLog?.pending, false);
    await bench.request('/v1/workspace', {});
    await bench.close();
    assert.is(core.requestLog?.pending, false);
  });

  test('a process keeps at most 20,000 rows, and logs how many it dropped', async () => {
    const bench = await open();
    try {
      const { core } = bench.service;
      const warnings: unknown[] = [];
      const log = createRequestLog({ ...core.log, warn: (fields: unknown) => void warnings.push(fields) }, (prefix) =>
        core.ports.ids.create(prefix),
      );
      const caller = { workspaceId: bench.workspaceId, sandbox: false, keyId: 'key_full' };
      for (let count = 0; count < 20_003; count += 1) {
        const request = { method: 'GET', url: '/v1/workspace', headers: {}, body: undefined };
        log.noteCaller(request, caller);
        const requestId = core.ports.ids.create('req');
        log.answered(request, {
          ts: bench.now(),
          requestId,
          method: 'GET',
          route: '/v1/workspace',
          status: 200,
          ms: 1,
        });
      }
      await log.flush(await core.database());
      assert.equal(warnings, [{ requests: 3 }]);
      assert.is((await rowsIn(bench)).length, 20_000);
    } finally {
      await bench.close();
    }
  });
});

test('on AWS Lambda the log is off, unless the program turns it on', async () => {
  const isOn = async (options: object) => {
    const service = createService({
      plugins: [],
      storage: sqliteStorage({ filename: ':memory:' }),
      keyring: localKeyring({ keys: [{ id: 'test', secret: 'a secret for tests only, 32 bytes' }] }),
      ...options,
    });
    const { requestLog } = service.core;
    await service.stop();
    return requestLog !== undefined;
  };
  assert.is(await isOn({}), true);
  process.env['AWS_LAMBDA_FUNCTION_NAME'] = 'postrider';
  try {
    assert.is(await isOn({}), false);
    assert.is(await isOn({ requestLog: true }), true);
  } finally {
    delete process.env['AWS_LAMBDA_FUNCTION_NAME'];
  }
});
test.run();

// The log during a database outage: one line for the outage and one for its end, for any number of refused calls.
// Tested with a full disk and a lock on real SQLite files.
// full-run: slow
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite from 'better-sqlite3';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { type StorageAdapter, StorageError } from '../../core/contract/ports/storage.ts';
import { coreErrors, definePlugin, definePublicRoute } from '../../core/index.ts';
import { Outages } from '../../core/pipeline/outages.ts';
import { createTestService } from '../../hosts/testing/index.ts';
import { openShop, type ShopService } from './shop-service.ts';

const test = suite('the log while the database refuses');

async function withShop(
  storageOf: (filename: string) => StorageAdapter,
  work: (shop: ShopService, filename: string) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-test-'));
  const filename = join(folder, 'app.sqlite');
  const createStorage = () => storageOf(filename);
  const shop = await openShop({ name: 'sqlite', createStorage, newPrefix: () => 't_' });
  try {
    await work(shop, filename);
  } finally {
    await shop.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

let calls = 0;
const buy = async (shop: ShopService): Promise<number> => {
  // Advances the clock, so that the rate limit recovers.
  shop.advanceClock(60_000);
  calls += 1;
  const headers = { 'idempotency-key': `buy-${calls}` };
  return (await shop.request('/v1/purchases', { method: 'POST', body: { price: 0 }, headers })).status;
};

const readStatus = async (shop: ShopService): Promise<number> =>
  (await shop.request('/v1/workspace', { key: shop.liveKey })).status;

/** Buys until a refusal, then many times again with reads between. Asserts that the log has one line. */
async function expectOneOutageLine(shop: ShopService, fault: RegExp): Promise<void> {
  for (let status = 0; status !== 503; ) {
    status = await buy(shop);
    assert.ok(status === 503 || status === 201, `answered ${status}`);
  }
  for (let count = 0; count < 30; count += 1) assert.equal([await buy(shop), await readStatus(shop)], [503, 200]);
  const outageLines = shop.logged.filter((line) => line.startsWith('the database refused'));
  assert.is(outageLines.length, 1);
  assert.match(outageLines[0] ?? '', fault);
  assert.ok(shop.logged.join('\n').length < 5_000, 'the log has more than one line');
}

async function expectEndLine(shop: ShopService, fault: string): Promise<void> {
  const ends = () => shop.logged.filter((line) => line.startsWith('the database answers again'));
  while (ends().length === 0) {
    assert.is(await buy(shop), 201);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const [fields = ''] = /\{.*/.exec(ends()[0] ?? '') ?? [];
  assert.equal([JSON.parse(fields).fault, JSON.parse(fields).refusals], [fault, 31]);
}

test('the log has one line for a full disk, and one for its end with the number of refusals', () => {
  let handle: BetterSqlite.Database | undefined;
  const storageOf = (filename: string) => {
    handle ??= new BetterSqlite(filename);
    handle.pragma('journal_mode = WAL');
    return sqliteStorage({ database: handle });
  };
  return withShop(storageOf, async (shop) => {
    const pages = Number(handle?.pragma('page_count', { simple: true }));
    handle?.pragma(`max_page_count = ${pages + 1}`);
    await expectOneOutageLine(shop, /disk of the SQLite database is full/);
    handle?.pragma('max_page_count = 1000000');
    await expectEndLine(shop, 'full');
  }).finally(() => handle?.close());
});

test('the log has one line for a database that another process locks, and one for its end with the number of refusals', () =>
  withShop(
    (filename) => sqliteStorage({ filename }, { waitMs: 20 }),
    async (shop, filename) => {
      assert.is(await buy(shop), 201);
      const otherProcess = new BetterSqlite(filename);
      otherProcess.exec('begin immediate');
      await expectOneOutageLine(shop, /The SQLite database was not free to write/);
      otherProcess.exec('rollback');
      otherProcess.close();
      await expectEndLine(shop, 'busy');
    },
  ));

test('public routes log an outage once, even if the handler itself has already refused', async () => {
  const logLines: string[] = [];
  const log = (_fields: object, message: string) => void logLines.push(message);
  const unavailable = new StorageError('unavailable', 'The database cannot be reached.');
  const route = (path: `/${string}`, thrown: () => unknown) =>
    definePublicRoute({
      http: `GET ${path}`,
      description: 'Fails.',
      handler: async () => {
        throw thrown();
      },
    });
  const plugin = definePlugin({
    id: 'failing',
    publicRoutes: [
      route('/wrapped', () => coreErrors.service_unavailable({ cause: unavailable })),
      route('/bare', () => unavailable),
      route('/elsewhere', () => coreErrors.service_unavailable({ cause: new Error('Redis is unavailable') })),
      route('/broken', () => new Error('a fault of our own')),
    ],
  });
  const bench = await createTestService({
    plugins: [plugin],
    logger: { debug: log, info: log, warn: log, error: log },
  });
  const ask = async (path: string, times: number): Promise<number[]> => {
    const answers: number[] = [];
    for (let count = 0; count < times; count += 1)
      answers.push((await bench.service.dispatch({ method: 'GET', url: path, headers: {}, body: undefined })).status);
    return [...new Set(answers)];
  };
  try {
    logLines.length = 0;
    assert.equal([await ask('/wrapped', 50), await ask('/bare', 50)], [[503], [503]]);
    assert.equal(logLines, ['a request failed']);
    assert.equal(await ask('/elsewhere', 50), [503]);
    assert.is(logLines.length, 2);
    assert.equal(await ask('/broken', 3), [500]);
    assert.is(logLines.length, 5, 'each fault of the service is logged');
  } finally {
    await bench.close();
  }
});

test('outages of different kinds are counted and ended separately', () => {
  const outages = new Outages<'full' | 'busy'>();
  const numbers = (['full', 'full', 'busy', 'full'] as const).map((kind) => outages.recordFailure(kind));
  assert.equal(numbers, [1, 2, 1, 3]);
  assert.equal(
    outages.takeEnded(() => 60_000),
    [],
    'no outage has ended yet',
  );
  assert.equal(
    outages.takeEnded((kind) => (kind === 'full' ? 0 : undefined)),
    [{ kind: 'full', failures: 3, seconds: 0 }],
  );
  assert.equal([outages.recordFailure('full'), outages.recordFailure('busy')], [1, 2]);
});

test.run();

// One key has one effect over time: leases of prepared calls that expire, and the two sides of the 24-hour limit
// full-run: slow
import { setTimeout as pause } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { keyReservationMs } from '../../core/pipeline/idempotency.ts';
import { createTestService } from '../../hosts/testing/test-service.ts';
import { eachDatabase } from '../support/databases.ts';
import { gate } from '../support/job-bench.ts';
import { ledgerPlugin } from './transactions-ledger.ts';

await eachDatabase('idempotency over time', (test, testDatabase) => {
  const open = (hold: (name: string) => Promise<void> = async () => undefined) =>
    createTestService({
      plugins: [ledgerPlugin({ hold })],
      logger: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
      storage: testDatabase.createStorage(),
      tablePrefix: testDatabase.newPrefix(),
    });
  type Opened = Awaited<ReturnType<typeof open>>;
  const post = (opened: Opened, path: string, name: string, idempotencyKey: string) =>
    opened.request(path, { body: { name }, headers: { 'idempotency-key': idempotencyKey } });
  const namesIn = async ({ service, workspaceId }: Opened): Promise<string[]> => {
    const database = await service.core.database();
    const rows = await database.read(workspaceId, ({ db }) =>
      db.selectFrom('ledger_entries').select('name').where('workspace_id', '=', workspaceId).orderBy('name').execute(),
    );
    return rows.map(({ name }) => name);
  };

  test('a call is replayed byte for byte at 23:59:59.999, and runs again at 24:00:00.001', async () => {
    const bench = await open();
    const first = await post(bench, '/v1/ledger', 'e1', 'k1');
    bench.advanceClock(86_400_000 - 1);
    const replay = await post(bench, '/v1/ledger', 'e1', 'k1');
    assert.equal([replay.status, replay.body], [first.status, first.body]);
    assert.is(replay.headers['Idempotent-Replay'], 'true');
    bench.advanceClock(2);
    const afresh = await post(bench, '/v1/ledger', 'e1', 'k1');
    assert.is(afresh.status, first.status);
    assert.is(afresh.headers['Idempotent-Replay'], undefined);
    assert.is.not(afresh.body.id, first.body.id);
    assert.equal(await namesIn(bench), ['e1', 'e1']);
    await bench.close();
  });

  test('the second of two prepared calls with one key gets 409, and replays afterwards', async () => {
    const hasStarted = gate();
    const mayContinue = gate();
    const bench = await open(() => {
      hasStarted.open();
      return mayContinue.passed;
    });
    const first = post(bench, '/v1/ledger/prepare', 'e1', 'k1');
    await hasStarted.passed;
    const second = await post(bench, '/v1/ledger/prepare', 'e1', 'k1');
    assert.is(second.status, 409);
    assert.is(second.body.error.code, 'idempotency_key_in_progress');
    assert.is(second.headers['Retry-After'], '1');
    mayContinue.open();
    const { body } = await first;
    const third = await post(bench, '/v1/ledger/prepare', 'e1', 'k1');
    assert.equal([third.body, third.headers['Idempotent-Replay']], [body, 'true']);
    assert.equal(await namesIn(bench), ['e1']);
    await bench.close();
  });

  test('if the preparation fails, the key is released at once', async () => {
    let fails = true;
    const bench = await open(async () => {
      if (fails) throw new Error('The preparation failed.');
    });
    assert.is((await post(bench, '/v1/ledger/prepare', 'e1', 'k1')).status, 500);
    fails = false;
    assert.is((await post(bench, '/v1/ledger/prepare', 'e1', 'k1')).status, 200);
    assert.equal(await namesIn(bench), ['e1']);
    await bench.close();
  });

  test('a prepared call that has outlived its lease is rolled back: twenty calls have one effect each', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `e${String(index).padStart(2, '0')}`);
    const mayContinue = gate();
    const waiting = new Set<string>();
    const bench = await open(async (name) => {
      if (waiting.has(name)) return;
      waiting.add(name);
      await mayContinue.passed;
    });
    const lateAnswers = names.map((name) => post(bench, '/v1/ledger/prepare', name, name));
    while (waiting.size < names.length) await new Promise((resolve) => setImmediate(resolve));
    bench.advanceClock(120_001);
    const inTime = await Promise.all(names.map((name) => post(bench, '/v1/ledger/prepare', name, name)));
    assert.equal(new Set(inTime.map(({ status }) => status)), new Set([200]));
    mayContinue.open();
    const results = await Promise.all(lateAnswers);
    assert.equal(
      new Set(results.map(({ status, body }) => `${status} ${body.error?.code}`)),
      new Set(['408 request_timeout']),
    );
    assert.equal(await namesIn(bench), names);
    const replays = await Promise.all(names.map((name) => post(bench, '/v1/ledger/prepare', name, name)));
    assert.equal(
      replays.map(({ body }) => body),
      inTime.map(({ body }) => body),
    );
    await bench.close();
  });

  test('a prepared call keeps its key as long as it runs', async () => {
    const hasStarted = gate();
    const mayContinue = gate();
    const bench = await open(() => {
      hasStarted.open();
      return mayContinue.passed;
    });
    const slow = post(bench, '/v1/ledger/prepare', 'e1', 'k1');
    await hasStarted.passed;
    for (let round = 0; round < 2; round += 1) {
      bench.advanceClock(keyReservationMs - 1_000);
      const second = await post(bench, '/v1/ledger/prepare', 'e1', 'k1');
      assert.equal([second.status, second.body.error.code], [409, 'idempotency_key_in_progress']);
      if (round === 0) await pause(keyReservationMs / 3 + 1_000);
    }
    mayContinue.open();
    assert.is((await slow).status, 200);
    assert.equal(await namesIn(bench), ['e1']);
    await bench.close();
  });

  test('a prepared call whose lease expired can finish if no other call took its key', async () => {
    const hasStarted = gate();
    const mayContinue = gate();
    const bench = await open(() => {
      hasStarted.open();
      return mayContinue.passed;
    });
    const slow = post(bench, '/v1/ledger/prepare', 'e1', 'k1');
    await hasStarted.passed;
    bench.advanceClock(120_001);
    mayContinue.open();
    assert.is((await slow).status, 200);
    assert.equal(await namesIn(bench), ['e1']);
    await bench.close();
  });
});

// The retry schedule of deliveries: the table of Standard Webhooks on a simulated clock, with restarts, clock changes and Retry-After.
// full-run: slow
import * as assert from 'uvu/assert';
import { localKeyring } from '../../adapters/keyring/local.ts';
import { createService } from '../../core/index.ts';
import { maxAttempts, nextAttemptTime, retryDelaysMs } from '../../plugins/webhooks/delivery/retry-table.ts';
import { twoDatabases } from '../support/databases.ts';
import { openWebhookBench, webhookPlugins } from '../support/webhook-bench.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
/** The planned times of the eight attempts, in milliseconds after the first attempt. A random delay of up to 5 % is added. */
const due = [
  0,
  5 * second,
  305 * second,
  2_105 * second,
  9_305 * second,
  27_305 * second,
  63_305 * second,
  113_705 * second,
];
const timesOf = (attempts: readonly { readonly at: string }[]) => attempts.map(({ at }) => Date.parse(at));

await twoDatabases('attempts of a delivery', (test, database) => {
  test('there are eight attempts at the stated times over 31 h 35 min 5 s, with at most 5 % added', async () => {
    const bench = await openWebhookBench(database, 500);
    try {
      const { id } = await bench.subscribe();
      const startTime = bench.test.now();
      await bench.emit();
      await bench.test.drain();
      while ((await bench.delivery(id)).status === 'pending') {
        const { next_attempt_at: next, attempts } = await bench.delivery(id);
        const wait = Date.parse(next ?? '') - bench.test.now();
        assert.ok(wait > 0);
        // A second before the due time there is no attempt.
        bench.test.advanceClock(wait - second);
        await bench.test.drain();
        assert.is((await bench.delivery(id)).attempts.length, attempts.length);
        bench.test.advanceClock(second);
        await bench.test.drain();
        assert.is((await bench.delivery(id)).attempts.length, attempts.length + 1);
      }
      const delivery = await bench.delivery(id);
      const times = timesOf(delivery.attempts).map((at) => at - startTime);
      assert.is(times.length, maxAttempts);
      for (const [index, at] of times.entries()) {
        assert.ok(at >= (due[index] ?? 0), `try ${index + 1} at ${at}`);
        assert.ok(at <= (due[index] ?? 0) * 1.05 + index, `try ${index + 1} at ${at}`);
      }
      assert.equal([delivery.status, delivery.next_attempt_at], ['failed', null]);
      bench.test.advanceClock(40 * hour);
      await bench.test.drain();
      assert.is(bench.receiver.received.length, maxAttempts);
      assert.equal(
        new Set(bench.receiver.received.map(({ body }) => body)).size,
        1,
        'every attempt has the same bytes',
      );
      const header = (name: string) => new Set(bench.receiver.received.map(({ headers }) => headers[name]));
      assert.equal([header('x-postrider-delivery').size, header('webhook-id').size], [1, 1]);
      assert.is(header('x-postrider-timestamp').size, maxAttempts);
      assert.is(header('x-postrider-signature').size, maxAttempts);
    } finally {
      await bench.close();
    }
  });

  test('after twenty restarts and clock changes, no attempt is delayed by more than their duration', async () => {
    const bench = await openWebhookBench(database, 500);
    const { core } = bench.test.service;
    const restart = async () => {
      const next = createService({
        storage: database.createStorage(),
        plugins: webhookPlugins,
        tablePrefix: (await core.database()).prefix,
        keyring: localKeyring({ keys: [{ id: 'test', secret: 'a secret for tests only, 32 bytes' }] }),
        environment: 'development',
        clock: { now: () => bench.test.now() },
      });
      await next.drain();
      await next.stop();
    };
    try {
      const { id } = await bench.subscribe();
      const startTime = bench.test.now();
      await bench.emit();
      await restart();
      let restarts = 1;
      while ((await bench.delivery(id)).status === 'pending') {
        const { next_attempt_at: next, attempts } = await bench.delivery(id);
        const wait = Date.parse(next ?? '') - bench.test.now();
        // While no process runs, the clock is set back by at most a minute and then forward again.
        const back = Math.min(minute, bench.test.now() - startTime);
        bench.test.advanceClock(-back);
        await restart();
        bench.test.advanceClock(back + Math.floor(wait / 2));
        await restart();
        assert.is((await bench.delivery(id)).attempts.length, attempts.length, 'the attempt is too early');
        bench.test.advanceClock(Date.parse(next ?? '') - bench.test.now());
        await restart();
        restarts += 3;
      }
      assert.ok(restarts >= 20);
      const times = timesOf((await bench.delivery(id)).attempts).map((at) => at - startTime);
      assert.is(times.length, maxAttempts);
      for (const [index, at] of times.entries())
        assert.ok(at >= (due[index] ?? 0) && at <= (due[index] ?? 0) * 1.05 + second, `try ${index + 1} at ${at}`);
      assert.is(bench.receiver.received.length, maxAttempts);
    } finally {
      await bench.close();
    }
  });

  test('if a retry was planned by a clock that was an hour ahead, it waits its normal delay after the clock is set back', async () => {
    const bench = await openWebhookBench(database, 500);
    try {
      const { id } = await bench.subscribe();
      bench.test.advanceClock(hour);
      await bench.emit();
      await bench.test.drain();
      bench.test.advanceClock(-hour);
      await bench.test.drain();
      assert.is((await bench.delivery(id)).attempts.length, 1);
      bench.test.advanceClock(5 * second * 1.05);
      await bench.test.drain();
      const { attempts, next_attempt_at: next } = await bench.delivery(id);
      assert.is(attempts.length, 2);
      const wait = Date.parse(next ?? '') - bench.test.now();
      assert.ok(wait >= 5 * minute && wait <= 5 * minute * 1.05 + 1, `the next wait is ${wait}`);
    } finally {
      await bench.close();
    }
  });

  test('a receiver that was down for 31 hours gets every missed event once', async () => {
    const bench = await openWebhookBench(database, 503);
    try {
      const { id } = await bench.subscribe();
      const events: string[] = [];
      for (let parcel = 0; parcel < 20; parcel += 1) events.push(await bench.emit(`P-${parcel}`));
      const until = bench.test.now() + 31 * hour;
      while (bench.test.now() < until) {
        bench.test.advanceClock(30 * minute);
        await bench.test.drain();
      }
      const before = bench.receiver.received.length;
      bench.receiver.answer = 200;
      bench.test.advanceClock(8 * hour);
      await bench.test.drain();
      const deliveries = await bench.deliveries(id);
      assert.equal([...new Set(deliveries.map(({ status }) => status))], ['delivered']);
      const receivedIds = bench.receiver.received.slice(before).map(({ body }) => JSON.parse(body).id as string);
      assert.equal([...receivedIds].sort(), [...events].sort());
    } finally {
      await bench.close();
    }
  });

  test('Retry-After delays a retry by at most an hour more than the table, and only for 429, 502, 503 and 504', async () => {
    const bench = await openWebhookBench(database, (response) => {
      response.writeHead(429, { 'retry-after': '120' }).end();
    });
    try {
      const { id } = await bench.subscribe();
      await bench.emit();
      await bench.test.drain();
      const { next_attempt_at: next } = await bench.delivery(id);
      assert.is(Date.parse(next ?? ''), bench.test.now() + 120 * second);
    } finally {
      await bench.close();
    }
    const base = { tries: 1, startedAt: 0, endedAt: 0, randomFraction: 0 };
    const nextTry = (status: number | null, retryAfter: string | undefined, attempts = 1) =>
      nextAttemptTime({ ...base, tries: attempts, status, retryAfter });
    for (const status of [429, 502, 503, 504]) assert.is(nextTry(status, '60'), minute);
    for (const status of [500, 400, 302, null]) assert.is(nextTry(status, '60'), 5 * second, `${status} has no effect`);
    assert.is(nextTry(503, '86400'), 5 * second + hour, 'at most an hour later than planned');
    assert.is(nextTry(503, new Date(10 * minute).toUTCString()), 10 * minute);
    assert.is(nextTry(503, 'soon'), 5 * second);
    assert.is(nextTry(503, '1'), 5 * second, 'never earlier than planned');
    for (const past of ['-5', '-1.5', new Date(-hour).toUTCString(), '0', '', ' ', '1e9', 'Infinity', '٣٠'])
      assert.is(nextTry(503, past), 5 * second, `${past} causes no wait`);
    for (const far of ['9999999999', '9'.repeat(400), '4000000000.5', 'Fri, 31 Dec 9999 23:59:59 GMT'])
      assert.is(nextTry(503, far), 5 * second + hour, `${far} is capped`);
    assert.is(nextTry(503, '7.5'), 7_500);
    assert.is(nextTry(503, '60', maxAttempts), undefined, 'there is no ninth attempt');
    assert.is(nextAttemptTime({ ...base, status: 500, retryAfter: undefined, randomFraction: 1 }), 5 * second * 1.05);
    assert.is(
      retryDelaysMs.reduce((sum, wait) => sum + wait, 0),
      31 * hour + 35 * minute + 5 * second,
    );
  });
});

// The ramp of a new sending domain: each day (UTC) a limited number of marketing mails leave, and other mails wait for the next day. The
// limit is exact over several processes. Other mail has no limit.
// time-limit: 400
import * as assert from 'uvu/assert';
import type { PostriderError } from '../../core/index.ts';
import { checkedRamp, slotsOf } from '../../plugins/domains/ramp.ts';
import { eachDatabase } from '../support/databases.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';

const dayMs = 86_400_000;
const variables = { name: 'Ada' };
const from = { email: 'news@new.example.org', name: 'News' };

await eachDatabase('ramps of sending domains', (test, database) => {
  let bench: MailBench;
  test.before.each(async () => {
    bench = await openMailBench(database);
    await bench.publish('receipt');
    await bench.publish('news', { category: 'marketing' });
    await bench.service.workspaces.update(bench.workspaceId, { sendingDomains: ['example.com', 'new.example.org'] });
  });
  test.after.each(() => bench.close());

  const create = (ramp: unknown, domain = 'new.example.org') =>
    bench.service.domains.create(bench.workspaceId, { domain, ramp } as Parameters<
      typeof bench.service.domains.create
    >[1]);
  const until = (days: number) => new Date(bench.now() + days * dayMs).toISOString();
  const toMidnight = () => bench.advanceClock(dayMs - (bench.now() % dayMs) + 1_000);
  let sends = 0;
  const send = async (template: string, more: object = { from }, key = bench.liveKey) => {
    sends += 1;
    const answer = await bench.send(template, { to: `r${sends}@list.example`, variables, ...more }, { key });
    assert.is(answer.status, 202, JSON.stringify(answer.body));
    return answer.body;
  };
  const sentCount = (email = from.email) => bench.sink.messages.filter(({ raw }) => raw.includes(`<${email}>`)).length;

  test('each day has its limit, further mails wait, and mail that is not marketing has no limit', async () => {
    const { ramp } = await create({ startPerDay: 3, growth: 1.5, until: until(30) });
    assert.equal(ramp, { startPerDay: 3, growth: 1.5, until: until(30) });
    toMidnight();
    for (let index = 0; index < 9; index += 1) await send('news');
    await bench.drain();
    assert.is(sentCount(), 3);
    const waiting = await send('news');
    const midnight = new Date(bench.now() - (bench.now() % dayMs) + dayMs).toISOString();
    assert.equal([waiting.status, waiting.whyNotSent, waiting.scheduledAt], ['scheduled', 'ramp', midnight]);
    const [receipt, old, sandboxed] = [
      await send('receipt'),
      await send('news', {}),
      await send('news', { from }, bench.testKey),
    ];
    await bench.drain();
    assert.equal([receipt.status, old.status, sandboxed.status], ['sent', 'sent', 'sent']);
    assert.equal([sentCount(), sentCount('hello@example.com')], [4, 1]);
    const counts: number[] = [];
    for (let day = 0; day < 3; day += 1) {
      toMidnight();
      await bench.drain();
      counts.push(sentCount() - 1);
    }
    // 3 mails, then 4 (4.5 rounded down), then all others.
    assert.equal(counts, [7, 10, 10]);
    assert.is((await bench.readSend(waiting.id)).status, 'sent');
  });

  test('several processes together send no more mails than the limit', async () => {
    await create({ startPerDay: 10, growth: 1, until: until(30) });
    toMidnight();
    for (let index = 0; index < 25; index += 1) await send('news');
    await Promise.all([bench.drain(), bench.drain(), bench.drain()]);
    assert.is(sentCount(), 10);
    const { data } = await bench.service.as(bench.workspaceId).sends.list({ status: 'scheduled', limit: 100 });
    assert.equal([data.length, new Set(data.map(({ whyNotSent }) => whyNotSent))], [15, new Set(['ramp'])]);
  });

  test('a mail that is retried keeps its slot of the day', async () => {
    await create({ startPerDay: 2, growth: 1, until: until(30) });
    toMidnight();
    const { to } = await send('news');
    bench.sink.answer(to, { code: 451, text: '4.3.0 Try again', times: 2 });
    for (let tries = 0; tries < 4; tries += 1) {
      await bench.drain();
      bench.advanceClock(700_000);
    }
    await send('news');
    await bench.drain();
    assert.is(sentCount(), 2);
  });

  test('mail that expires before the next day fails when it is accepted, and other mails leave', async () => {
    await create({ startPerDay: 3, growth: 1, until: until(30) });
    toMidnight();
    const statuses: { status: string; whyNotSent?: string }[] = [];
    for (let index = 0; index < 5; index += 1) statuses.push(await send('news', { from, expiresIn: 'PT1H' }));
    assert.equal(
      statuses.map(({ status, whyNotSent }) => `${status} ${whyNotSent ?? ''}`),
      ['sent ', 'sent ', 'sent ', 'failed expired', 'failed expired'],
    );
    await bench.drain();
    bench.advanceClock(2 * 3_600_000);
    await bench.drain();
    assert.is(sentCount(), 3);
  });

  test('a batch uses the remaining slots of the day, and two simultaneous calls never use the same slot', async () => {
    await create({ startPerDay: 10, growth: 1, until: until(30) });
    toMidnight();
    await Promise.all(Array.from({ length: 4 }, () => send('news')));
    const recipients = Array.from({ length: 8 }, (_, index) => ({ to: `b${index}@list.example`, variables }));
    const { body } = await bench.request('/v1/transactional/batch', { body: { template: 'news', from, recipients } });
    const statuses = (body.data as { status: string }[]).map(({ status }) => status);
    assert.equal([statuses.filter((one) => one === 'sent').length, statuses.length], [6, 8]);
    await bench.drain();
    assert.is(sentCount(), 10);
  });

  test('if a mail is suppressed before its hand-over, another mail gets its slot of the day', async () => {
    await create({ startPerDay: 1, growth: 1, until: until(30) });
    toMidnight();
    const { to } = await send('news');
    assert.is((await send('news')).status, 'scheduled');
    await bench.service.as(bench.workspaceId).suppressions.create({ email: to });
    await bench.drain();
    assert.is((await send('news')).status, 'sent');
    await bench.drain();
    assert.is(sentCount(), 1);
  });

  test('mail has no limit after the end of the ramp, and a domain that is deleted and added again has no ramp', async () => {
    await create({ startPerDay: 1, growth: 1, until: until(2) });
    for (let index = 0; index < 4; index += 1) await send('news');
    await bench.drain();
    assert.is(sentCount(), 1);
    bench.advanceClock(2 * dayMs);
    await bench.drain();
    bench.advanceClock(dayMs);
    await bench.drain();
    assert.is(sentCount(), 4);
    await bench.service.domains.delete(bench.workspaceId, 'new.example.org');
    const { ramp } = await create(undefined);
    assert.is(ramp, null);
  });

  test('an invalid ramp is refused', async () => {
    const good = { startPerDay: 1, growth: 1, until: '2999-01-01' };
    const bad = [
      { ...good, startPerDay: 0 },
      { ...good, startPerDay: 1.5 },
      { ...good, startPerDay: '5' },
      { ...good, growth: 0.9 },
      { ...good, growth: Number.NaN },
      { ...good, growth: 11 },
      { ...good, until: '2001-01-01' },
      { ...good, until: 'next year' },
      { ...good, until: 5 },
      {},
      'fast',
    ];
    for (const ramp of bad)
      await create(ramp).then(
        () => assert.unreachable(JSON.stringify(ramp)),
        ({ code }: PostriderError) => assert.is(code, 'validation_failed'),
      );
  });

  test('the limits of the days grow and are whole numbers', () => {
    const ramp = checkedRamp({ startPerDay: 50, growth: 1.5, until: '2999-01-01' }, 0);
    assert.equal(
      [0, 1, 2, 3, 4].map((day) => slotsOf(ramp, day)),
      [50, 75, 112, 168, 253],
    );
    assert.equal([slotsOf({ ...ramp, growth: 1.1 }, 1), slotsOf(ramp, 10_000)], [55, Number.MAX_SAFE_INTEGER]);
  });
});

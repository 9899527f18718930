// time-limit: 120
// Analytics of live posts: the schedule of collection, stored and refreshed values, and networks that do not answer.
// full-run: slow
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { unscoped } from '../../core/storage/scope.ts';
import { noMetrics } from '../../plugins/social/metrics/present.ts';
import { nextCollectionAt } from '../../plugins/social/metrics/times.ts';
import { twoDatabases } from '../support/databases.ts';
import { openSocialBench, type SocialBench } from '../support/social-bench.ts';

const hour = 3_600_000;
const day = 24 * hour;

const table = suite('the schedule of analytics');

table('analytics are collected hourly for 48 hours, daily to day 30, weekly to day 90', () => {
  const times: number[] = [];
  for (let at = nextCollectionAt(0, 0); at !== null; at = nextCollectionAt(0, at)) times.push(at);
  assert.equal(
    times.slice(0, 48),
    Array.from({ length: 48 }, (_, index) => (index + 1) * hour),
  );
  const daily = times.filter((at) => at > 2 * day && at <= 30 * day);
  assert.equal(
    daily,
    Array.from({ length: 28 }, (_, index) => (index + 3) * day),
  );
  const weekly = times.filter((at) => at > 30 * day);
  assert.equal(
    weekly.map((at) => at / day),
    [35, 42, 49, 56, 63, 70, 77, 84],
  );
});

table('after an outage the schedule continues from the current time', () => {
  assert.is(nextCollectionAt(0, 5.5 * hour), 6 * hour);
  assert.is(nextCollectionAt(0, 91 * day), null);
});

table.run();

await twoDatabases('analytics of social posts', (test, database) => {
  const storedMetrics = async (bench: SocialBench): Promise<number> => {
    const open = await bench.service.core.database();
    const rows = await open.read(unscoped('the test counts'), ({ db }) =>
      db.selectFrom('social_figures').select('id').execute(),
    );
    return rows.length;
  };
  const live = async (channels = ['x', 'bluesky']) => {
    const bench = await openSocialBench(database, channels);
    const { id } = await bench.calls.social.postCreate({ channels, caption: 'one', publish: true });
    await bench.drain();
    return { bench, id };
  };

  test('analytics are collected on schedule and returned by channel and in total', async () => {
    const { bench, id } = await live();
    assert.equal((await bench.calls.social.postAnalytics({ postId: id })).collectedAt, null);
    for (let quarters = 0; quarters < 12; quarters += 1) await bench.jump(15);
    assert.is(await storedMetrics(bench), 6, 'three hours and two channels');
    const { postId, cached, totals, byChannel } = await bench.calls.social.postAnalytics({ postId: id });
    assert.equal([postId, cached, Object.keys(byChannel).sort()], [id, true, ['bluesky', 'x']]);
    assert.is(totals.likes, (byChannel['x']?.likes ?? 0) + (byChannel['bluesky']?.likes ?? 0));
    assert.is(totals.saves, null, 'no network reports this value');
    await bench.close();
  });

  test('refresh asks the network at most once a minute, and does not store the values', async () => {
    const { bench, id } = await live();
    const first = await bench.calls.social.postAnalytics({ postId: id, refresh: 'true' });
    assert.equal([first.cached, first.totals.likes !== null], [false, true]);
    assert.is((await bench.calls.social.postAnalytics({ postId: id, refresh: 'true' })).cached, true);
    bench.advanceClock(61_000);
    assert.is((await bench.calls.social.postAnalytics({ postId: id, refresh: 'true' })).cached, false);
    assert.is(await storedMetrics(bench), 0);
    await bench.close();
  });

  test('the limit of one refresh a minute applies across all processes', async () => {
    const tablePrefix = database.newPrefix();
    const process = () => openSocialBench(database, ['x'], { tablePrefix });
    const [one, other] = [await process(), await process()];
    const { id } = await one.calls.social.postCreate({ channels: ['x'], caption: 'one', publish: true });
    await one.drain();
    const ask = async (bench: SocialBench): Promise<boolean> => {
      const { social } = bench.service.as(one.workspaceId);
      return (await social.postAnalytics({ postId: id, refresh: 'true' })).cached;
    };
    assert.equal([await ask(one), await ask(other)], [false, true]);
    one.advanceClock(61_000);
    other.advanceClock(61_000);
    assert.equal([await ask(other), await ask(one)], [false, true]);
    await one.close();
    await other.close();
  });

  test('values that are not valid counts are rounded or omitted', async () => {
    const invalidMetrics = {
      ...noMetrics,
      impressions: 10.6,
      likes: -1,
      comments: Number.NaN,
      shares: 3,
      clicks: Infinity,
    };
    const bench = await openSocialBench(database, ['x'], {
      network: (network) => ({
        ...network,
        connect: (...args) => ({ ...network.connect(...args), metrics: async () => invalidMetrics }),
      }),
    });
    const { id } = await bench.calls.social.postCreate({ channels: ['x'], caption: 'one', publish: true });
    await bench.drain();
    const expected = { ...noMetrics, impressions: 11, shares: 3 };
    assert.equal((await bench.calls.social.postAnalytics({ postId: id, refresh: 'true' })).totals, expected);
    for (let quarters = 0; quarters < 5; quarters += 1) await bench.jump(15);
    assert.equal((await bench.calls.social.postAnalytics({ postId: id })).byChannel, { x: expected });
    await bench.close();
  });

  test('if a network does not answer, its values are missing, and other networks are still queried', async () => {
    const { bench, id } = await live();
    bench.network('x').simulateFault('down');
    for (let quarters = 0; quarters < 5; quarters += 1) await bench.jump(15);
    assert.is(await storedMetrics(bench), 1);
    const { byChannel } = await bench.calls.social.postAnalytics({ postId: id, refresh: 'true' });
    assert.equal([byChannel['x']?.likes, typeof byChannel['bluesky']?.likes], [null, 'number']);
    bench.network('x').simulateFault(null);
    for (let quarters = 0; quarters < 4; quarters += 1) await bench.jump(15);
    assert.is(await storedMetrics(bench), 3);
    await bench.close();
  });

  test('a post that was never published has no analytics, and a deleted post is no longer queried', async () => {
    const { bench, id } = await live();
    const draft = await bench.calls.social.postCreate({ channels: ['x'], caption: 'two' });
    const refused = await bench.calls.social.postAnalytics({ postId: draft.id }).catch((error: unknown) => error);
    assert.is((refused as { code: string }).code, 'state_conflict');
    await bench.calls.social.postDelete({ postId: id, fromProvider: 'true' });
    await bench.drain();
    for (let quarters = 0; quarters < 5; quarters += 1) await bench.jump(15);
    assert.is(await storedMetrics(bench), 0);
    await bench.close();
  });
});

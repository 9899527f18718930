// time-limit: 240
// Scheduled posts in real time zones: clock changes, restarts around the scheduled time, and outages.
// full-run: slow
import * as assert from 'uvu/assert';
import type { CapturingNetwork } from '../../plugins/social/port/index.ts';
import { twoDatabases } from '../support/databases.ts';
import { openSocialBench } from '../support/social-bench.ts';

const minute = 60_000;
const hour = 60 * minute;

/** Around the Berlin clock changes: forward at 01:00Z on 2026-03-29, back at 01:00Z on 2026-10-25. */
const wallTimes = [
  { given: '2026-03-28T09:00:00+01:00', instant: '2026-03-28T08:00:00.000Z' },
  { given: '2026-03-29T09:00:00+02:00', instant: '2026-03-29T07:00:00.000Z' },
  { given: '2026-10-24T09:00:00+02:00', instant: '2026-10-24T07:00:00.000Z' },
  // This hour occurs twice.
  { given: '2026-10-25T02:30:00+02:00', instant: '2026-10-25T00:30:00.000Z' },
  { given: '2026-10-25T02:30:00+01:00', instant: '2026-10-25T01:30:00.000Z' },
  { given: '2026-10-25T09:00:00+01:00', instant: '2026-10-25T08:00:00.000Z' },
];

await twoDatabases('social posts at their time', (test, database) => {
  test('a time with an offset stays the same instant across both clock changes', async () => {
    const bench = await openSocialBench(database);
    const until = (instant: string, early: number) => bench.jump((Date.parse(instant) - early - bench.now()) / minute);
    for (const { given, instant } of wallTimes) {
      const { scheduledAt } = await bench.calls.social.postCreate({
        channels: ['x'],
        caption: given,
        scheduleAt: given,
      });
      assert.is(scheduledAt, instant, given);
    }
    const due = wallTimes.map(({ given }) => given);
    for (const [index, { instant }] of wallTimes.entries()) {
      await until(instant, minute);
      assert.equal(bench.seen('x'), due.slice(0, index));
      await until(instant, 0);
      await bench.drain();
      assert.equal(bench.seen('x'), due.slice(0, index + 1));
    }
    await bench.close();
  });

  test('a time without an offset and an invalid time are refused', async () => {
    const bench = await openSocialBench(database);
    for (const scheduleAt of ['2026-03-29T09:00:00', '2026-03-29', '2026-03-29T25:00:00+01:00', 'tomorrow']) {
      const body = { channels: ['x'], caption: 'one', scheduleAt };
      const answer = await bench.request('/v1/social/posts', { body });
      assert.equal([answer.status, answer.body.error?.code], [422, 'validation_failed'], scheduleAt);
    }
    await bench.close();
  });

  const tablePrefix = database.newPrefix();

  /** Opens several processes of one service that share the same networks. */
  const processes = async () => {
    const networksByProvider = new Map<string, CapturingNetwork>();
    const network = (network: CapturingNetwork): CapturingNetwork => {
      const sharedNetwork = networksByProvider.get(network.provider) ?? network;
      networksByProvider.set(network.provider, sharedNetwork);
      return sharedNetwork;
    };
    const open = () => openSocialBench(database, ['x'], { tablePrefix, network });
    const first = await open();
    const scheduleAt = new Date(first.now() + 2 * hour).toISOString();
    const { id } = await first.calls.social.postCreate({ channels: ['x'], caption: 'one', scheduleAt });
    const readPost = (bench: typeof first) => bench.service.as(first.workspaceId).social.postRead({ postId: id });
    return { first, open, id, scheduleAt, read: readPost };
  };

  test('if the process restarts between the due time and the publication, the post is published once', async () => {
    const { first, open, read } = await processes();
    first.network('x').simulateFault('down');
    first.advanceClock(2 * hour);
    await first.drain();
    assert.is((await read(first)).status, 'publishing');
    await first.close();
    const second = await open();
    second.advanceClock(2 * hour + minute);
    // The post is live, but the response is lost; then the process ends.
    second.network('x').simulateFault('breaks after');
    await second.drain();
    assert.equal(second.seen('x'), ['one']);
    await second.close();
    const third = await open();
    third.advanceClock(2 * hour + 2 * minute);
    await third.drain();
    const post = await read(third);
    assert.equal([post.status, post.targets[0]?.attempts], ['published', 2]);
    assert.equal(third.seen('x'), ['one']);
    await third.close();
  });

  test('if two processes run at the due time, only one of them publishes the post', async () => {
    const { first, open, read } = await processes();
    const second = await open();
    for (const { advanceClock } of [first, second]) advanceClock(2 * hour);
    await Promise.all([first.drain(), second.drain()]);
    await Promise.all([first.drain(), second.drain()]);
    assert.is((await read(second)).status, 'published');
    assert.equal(first.seen('x'), ['one']);
    await first.close();
    await second.close();
  });

  test('after an outage a post that is up to 6 hours late is published; a later post fails with its due time in the error', async () => {
    for (const late of [6 * hour, 6 * hour + minute]) {
      const { first, open, id, scheduleAt, read } = await processes();
      await first.close();
      const second = await open();
      second.advanceClock(2 * hour + late);
      await second.drain();
      await second.drain();
      const post = await read(second);
      if (late <= 6 * hour) {
        assert.is(post.status, 'published');
        assert.equal(second.seen('x'), ['one']);
      } else {
        const message = `The post was due at ${scheduleAt}, and the service could not publish it within 6 hours of that. Schedule it again.`;
        assert.equal([post.status, post.targets[0]?.error], ['failed', { code: 'missed', message }]);
        assert.equal(second.seen('x'), []);
        const { social } = second.service.as(first.workspaceId);
        await social.postSchedule({ postId: id, scheduledAt: new Date(second.now() + hour).toISOString() });
        second.advanceClock(hour);
        await second.drain();
        await second.drain();
        assert.equal([(await read(second)).status, second.seen('x')], ['published', ['one']]);
      }
      await second.close();
    }
  });
});

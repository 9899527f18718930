// time-limit: 240
// Scheduled posts that get a new time: they have one credit reservation, one job, and never two publications, even if calls overlap.
// full-run: slow
import * as assert from 'uvu/assert';
import type { PostriderError } from '../../core/index.ts';
import { eachDatabase } from '../support/databases.ts';
import { openSocialBench, type SocialBench } from '../support/social-bench.ts';

const hourInMinutes = 60;
const minuteMs = 60_000;

const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'none',
    (error: PostriderError) => error.code,
  );

await eachDatabase('scheduled social posts that are rescheduled', (test, database) => {
  let bench: SocialBench;
  /** Runs after a worker has claimed the job of the old time, and before its handler. */
  let beforeHandler: () => Promise<unknown> = async () => undefined;
  test.before.each(async () => {
    beforeHandler = async () => undefined;
    bench = await openSocialBench(database, ['x'], {
      social: (plugin) => ({
        ...plugin,
        jobs: plugin.jobs.map((job) =>
          job.kind === 'social.publish_due'
            ? {
                ...job,
                handler: async (...args: Parameters<typeof job.handler>) => {
                  await beforeHandler();
                  await job.handler(...args);
                },
              }
            : job,
        ),
      }),
    });
  });
  test.after.each(() => bench.close());

  const at = (minutes: number): string => new Date(bench.now() + minutes * minuteMs).toISOString();
  const move = (postId: string, scheduledAt: string) => bench.calls.social.postSchedule({ postId, scheduledAt });
  const schedulePost = async () => {
    const { id } = await bench.calls.social.postCreate({
      channels: ['x'],
      caption: 'One',
      scheduleAt: at(hourInMinutes),
    });
    return id;
  };

  test('a post is published only at its new time, earlier or later, and its credits are reserved once', async () => {
    const before = await bench.balance();
    const id = await schedulePost();
    const { price } = (await bench.read(id)).credits;
    assert.is(before - (await bench.balance()), price);
    const time = at(3 * hourInMinutes);
    const reschedule = await move(id, time);
    assert.equal(
      [reschedule.status, reschedule.scheduledAt, before - (await bench.balance())],
      ['scheduled', time, price],
    );
    await bench.jump(hourInMinutes);
    assert.equal([(await bench.read(id)).status, bench.seen('x')], ['scheduled', []]);
    await move(id, at(hourInMinutes));
    await bench.jump(hourInMinutes);
    assert.equal([(await bench.read(id)).status, bench.seen('x')], ['published', ['One']]);
    await bench.jump(2 * hourInMinutes);
    assert.equal([bench.seen('x'), before - (await bench.balance())], [['One'], price]);
  });

  test('a refused reschedule keeps the old time', async () => {
    const id = await schedulePost();
    const before = await bench.read(id);
    assert.is(await codeOf(move(id, at(-1))), 'schedule_at_invalid');
    await bench.service.workspaces.update(bench.workspaceId, { plan: 'hobby' });
    assert.is(await codeOf(move(id, at(2 * hourInMinutes))), 'plan_required');
    assert.equal(await bench.read(id), before);
  });

  test('if a post gets a new time between the claim of the old job and its handler, the new time applies', async () => {
    const id = await schedulePost();
    const moves: Promise<unknown>[] = [];
    beforeHandler = async () => {
      if (moves.length === 0) moves.push(move(id, at(2 * hourInMinutes)));
      await Promise.all(moves);
    };
    await bench.jump(hourInMinutes);
    assert.equal([moves.length, (await bench.read(id)).status, bench.seen('x')], [1, 'scheduled', []]);
    await bench.jump(2 * hourInMinutes);
    assert.equal([(await bench.read(id)).status, bench.seen('x')], ['published', ['One']]);
  });

  test('if a new time and the publication at the old time overlap, exactly one of them takes effect', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await schedulePost();
      const postsBefore = bench.seen('x').length;
      let overlapping: Promise<string> | undefined;
      beforeHandler = async () => {
        overlapping ??= codeOf(move(id, at(2 * hourInMinutes)));
      };
      await bench.jump(hourInMinutes);
      const code = (await overlapping) ?? 'not called';
      await bench.drain();
      const { status } = await bench.read(id);
      assert.ok(['none', 'state_conflict'].includes(code), code);
      assert.is(status, code === 'none' ? 'scheduled' : 'published');
      assert.is(bench.seen('x').length - postsBefore, code === 'none' ? 0 : 1);
      await bench.jump(2 * hourInMinutes);
      assert.equal([(await bench.read(id)).status, bench.seen('x').length - postsBefore], ['published', 1]);
    }
  });

  test('a post that is being published cannot be rescheduled', async () => {
    const id = await schedulePost();
    await bench.calls.social.postPublish({ postId: id });
    const refused = await move(id, at(hourInMinutes)).catch((error: PostriderError) => error);
    assert.match(
      (refused as PostriderError).message,
      /is publishing, so it cannot become scheduled\. Calls cannot change it until this has ended/,
    );
  });
});

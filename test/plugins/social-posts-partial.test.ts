// time-limit: 240
// Partly published posts are published, changed, scheduled and deleted again: no second post appears, and no post gets stuck.
// full-run: slow
import * as assert from 'uvu/assert';
import type { PostriderError } from '../../core/index.ts';
import { twoDatabases } from '../support/databases.ts';
import { openSocialBench } from '../support/social-bench.ts';

const both = { channels: ['x', 'bluesky'], caption: 'one', publish: true };
const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'none',
    (error: PostriderError) => error.code,
  );

await twoDatabases('partly published social posts', (test, database) => {
  test('if a deletion fails on a network, the post is not published again while it is live there', async () => {
    const bench = await openSocialBench(database, ['x', 'bluesky']);
    const { id } = await bench.calls.social.postCreate(both);
    await bench.drain();
    bench.network('bluesky').simulateFault('down');
    await bench.calls.social.postDelete({ postId: id, fromProvider: 'true' });
    await bench.drain();
    for (const minutes of [1, 5, 15, 60, 180]) await bench.jump(minutes);
    assert.equal(bench.targets(await bench.read(id)), ['x deleted', 'bluesky published delete_failed']);
    assert.is(await codeOf(bench.calls.social.postPublish({ postId: id })), 'state_conflict');
    assert.is((await bench.read(id)).status, 'partially_published');
    bench.network('bluesky').simulateFault(null);
    await bench.calls.social.postDelete({ postId: id, fromProvider: 'true' });
    await bench.drain();
    assert.is((await bench.read(id)).status, 'deleted');
    await bench.close();
  });

  test('if a deletion is given up, the post stays live with the reason', async () => {
    const fail = async () => {
      throw new Error('The disk is full.');
    };
    const bench = await openSocialBench(database, ['x', 'bluesky'], {
      social: (plugin) => ({
        ...plugin,
        jobs: plugin.jobs.map((job) => (job.kind === 'social.remove_post' ? { ...job, handler: fail } : job)),
      }),
    });
    const { id } = await bench.calls.social.postCreate(both);
    await bench.drain();
    await bench.calls.social.postDelete({ postId: id, fromProvider: 'true' });
    await bench.drain();
    for (let attempt = 0; attempt < 8; attempt += 1) await bench.jump(24 * 60);
    const post = await bench.read(id);
    assert.equal(
      [post.status, ...bench.targets(post)],
      ['published', 'x published delete_failed', 'bluesky published delete_failed'],
    );
    await bench.close();
  });
});

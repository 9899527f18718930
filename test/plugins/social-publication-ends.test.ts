// time-limit: 240
// Scheduled posts and the checks at their time, simulated sandbox publications, and the deletion of live posts.
// full-run: slow
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { openSocialBench } from '../support/social-bench.ts';

const hour = 3_600_000;

await twoDatabases('ends of social publications', (test, database) => {
  const openWithScheduledPost = async (channels = ['x']) => {
    const bench = await openSocialBench(database, channels);
    const scheduleAt = new Date(bench.now() + 2 * hour).toISOString();
    const { id, status } = await bench.calls.social.postCreate({ channels, caption: 'one', scheduleAt });
    assert.is(status, 'scheduled');
    return { bench, id };
  };

  test('a scheduled post is published at its time', async () => {
    const { bench, id } = await openWithScheduledPost();
    await bench.jump(119);
    assert.equal(bench.seen('x'), []);
    await bench.jump(1);
    await bench.drain();
    assert.equal(bench.seen('x'), ['one']);
    assert.is((await bench.read(id)).status, 'published');
    await bench.close();
  });

  test('a rescheduled post is published only at its new time, and an unscheduled post is never published', async () => {
    const { bench, id } = await openWithScheduledPost();
    const later = new Date(bench.now() + 5 * hour).toISOString();
    await bench.calls.social.postSchedule({ postId: id, scheduledAt: null });
    await bench.calls.social.postSchedule({ postId: id, scheduledAt: later });
    await bench.jump(180);
    assert.equal(bench.seen('x'), []);
    await bench.calls.social.postSchedule({ postId: id, scheduledAt: null });
    await bench.jump(240);
    assert.equal(bench.seen('x'), []);
    assert.is((await bench.read(id)).status, 'ready');
    await bench.close();
  });

  test('a post that is up to 6 hours late is published; after that it fails and its credits are released', async () => {
    const late = await openWithScheduledPost();
    await late.bench.jump(2 * 60 + 359);
    await late.bench.drain();
    assert.equal(late.bench.seen('x'), ['one']);
    await late.bench.close();
    const missed = await openWithScheduledPost();
    await missed.bench.jump(2 * 60 + 361);
    const post = await missed.bench.read(missed.id);
    assert.equal([post.status, ...missed.bench.targets(post)], ['failed', 'x failed missed']);
    assert.equal(missed.bench.seen('x'), []);
    assert.is(await missed.bench.balance(), 3_000);
    assert.equal(await missed.bench.events('social.post.failed'), [post]);
    await missed.bench.close();
  });

  test('a price that rises later does not raise the cost above the reserved credits, which are kept as long as the schedule', async () => {
    const prices = { tweet: 1, tweetWithUrl: 4, compose: 2 };
    const bench = await openSocialBench(database, ['x'], {
      social: (plugin) => ({
        ...plugin,
        services: { ...plugin.services, socialRules: () => ({ prices, composers: {} }) },
      }),
    });
    const scheduleAt = new Date(bench.now() + 300 * 24 * hour).toISOString();
    const { id } = await bench.calls.social.postCreate({ channels: ['x'], caption: 'one', scheduleAt });
    prices.tweet = 3;
    await bench.jump(299 * 24 * 60);
    const heldPost = await bench.calls.social.postRead({ postId: id });
    assert.equal([heldPost.status, heldPost.credits], ['scheduled', { price: 1, charged: 0 }]);
    await bench.jump(24 * 60);
    await bench.drain();
    assert.equal((await bench.read(id)).credits, { price: 1, charged: 1 });
    const before = await bench.balance();
    const next = await bench.calls.social.postCreate({ channels: ['x'], caption: 'two', publish: true });
    prices.tweet = 2;
    await bench.drain();
    assert.equal((await bench.read(next.id)).credits, { price: 3, charged: 2 });
    assert.is(before - (await bench.balance()), 2);
    await bench.close();
  });

  test('if an account was disconnected meanwhile, its post fails on every channel and is not published', async () => {
    const { bench, id } = await openWithScheduledPost(['x', 'bluesky']);
    bench.network('bluesky').simulateFault('disconnected');
    await bench.jump(60);
    await bench.calls.social.networksRefresh({});
    await bench.jump(60);
    const post = await bench.read(id);
    assert.is(post.status, 'failed');
    assert.equal(bench.targets(post), ['x failed account_disconnected', 'bluesky failed account_disconnected']);
    assert.equal(bench.seen('x'), []);
    await bench.close();
  });

  test('a post fails if its plan can no longer publish', async () => {
    const { bench, id } = await openWithScheduledPost();
    await bench.service.workspaces.update(bench.workspaceId, { plan: 'hobby' });
    await bench.jump(120);
    assert.equal(bench.targets(await bench.read(id)), ['x failed plan_required']);
    await bench.close();
  });

  test('a sandbox post is simulated: no network is called, nothing is charged', async () => {
    const bench = await openSocialBench(database, ['x', 'bluesky']);
    const sandbox = bench.service.as(bench.workspaceId, { sandbox: true });
    const ends: [string, string[]][] = [
      ['published', ['published', 'x published', 'bluesky published']],
      ['failed', ['failed', 'x failed provider_rejected', 'bluesky failed provider_rejected']],
      ['partially_published', ['partially_published', 'x published', 'bluesky failed provider_rejected']],
      ['unknown', ['failed', 'x unknown outcome_unknown', 'bluesky unknown outcome_unknown']],
    ];
    for (const [simulationScenario, expected] of ends) {
      const { id } = await sandbox.social.postCreate({
        channels: ['x', 'bluesky'],
        caption: 'one',
        publish: true,
        simulationScenario: simulationScenario as 'failed',
      });
      await bench.drain();
      const post = await sandbox.social.postRead({ postId: id });
      assert.equal([post.status, ...bench.targets(post)], expected, simulationScenario);
      assert.ok(post.sandbox);
    }
    assert.equal([...bench.seen('x'), ...bench.seen('bluesky')], []);
    assert.is(await bench.balance(), 3_000);
    await bench.close();
  });

  test('a live post is deleted on its networks', async () => {
    const bench = await openSocialBench(database, ['x', 'bluesky']);
    const input = { channels: ['x', 'bluesky'], caption: 'one', publish: true };
    const { id } = await bench.calls.social.postCreate(input);
    await bench.drain();
    const deletion = await bench.calls.social.postDelete({ postId: id, fromProvider: 'true' });
    assert.is(deletion.status, 'deleting');
    await bench.drain();
    const post = await bench.read(id);
    assert.equal([post.status, ...bench.targets(post)], ['deleted', 'x deleted', 'bluesky deleted']);
    assert.equal([...bench.seen('x'), ...bench.seen('bluesky')], []);
    assert.equal(await bench.events('social.post.deleted'), [post]);
    await bench.close();
  });

  test('a deletion is retried if a network is down, and if a network refuses, the post stays live there with the reason', async () => {
    const bench = await openSocialBench(database, ['x', 'bluesky']);
    const input = { channels: ['x', 'bluesky'], caption: 'one', publish: true };
    const { id } = await bench.calls.social.postCreate(input);
    await bench.drain();
    bench.network('x').simulateFault('down');
    bench.network('bluesky').simulateFault('disconnected');
    await bench.calls.social.postDelete({ postId: id, fromProvider: 'true' });
    await bench.drain();
    assert.is((await bench.read(id)).status, 'deleting');
    bench.network('x').simulateFault(null);
    await bench.jump(1);
    const post = await bench.read(id);
    assert.is(post.status, 'partially_published');
    assert.equal(bench.targets(post), ['x deleted', 'bluesky published account_disconnected']);
    assert.match(post.targets[1]?.error?.message ?? '', /^Bluesky did not delete the post/);
    assert.equal([bench.seen('x'), bench.seen('bluesky')], [[], ['one']]);
    await bench.close();
  });

  /** Opens a bench with a post that is live on Bluesky, and on X with the first part of a broken thread. */
  const openWithBrokenThread = async () => {
    const bench = await openSocialBench(database, ['x', 'bluesky']);
    const input = { channels: ['x', 'bluesky'], caption: 'one', threadTweets: ['two'], publish: true };
    bench.network('x').simulateFault('breaks after');
    const { id } = await bench.calls.social.postCreate(input);
    await bench.drain();
    bench.network('x').simulateFault('rejected');
    await bench.jump(1);
    const post = await bench.read(id);
    assert.equal(
      [post.status, ...bench.targets(post)],
      ['partially_published', 'x failed provider_rejected', 'bluesky published'],
    );
    assert.equal(bench.seen('x'), ['one']);
    return { bench, id };
  };

  /** Opens a bench with a post on X only, whose thread broke after the first part. */
  const openWithBrokenThreadOnX = async () => {
    const bench = await openSocialBench(database, ['x']);
    bench.network('x').simulateFault('breaks after');
    const input = { channels: ['x'], caption: 'one', threadTweets: ['two'], publish: true };
    const { id } = await bench.calls.social.postCreate(input);
    await bench.drain();
    bench.network('x').simulateFault('rejected');
    await bench.jump(1);
    bench.network('x').simulateFault(null);
    assert.is((await bench.read(id)).status, 'failed');
    assert.equal(bench.seen('x'), ['one']);
    return { bench, id };
  };
  const errorOf = async (call: Promise<unknown>): Promise<{ code: string; message: string }> => {
    const error = await call.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    return error as { code: string; message: string };
  };

  test('a failed post with live parts cannot be deleted only in the service, and the error names the parts', async () => {
    const { bench, id } = await openWithBrokenThreadOnX();
    const [live] = bench.network('x').posts();
    const { code, message } = await errorOf(bench.calls.social.postDelete({ postId: id }));
    assert.is(code, 'state_conflict');
    assert.match(message, `live on x, with the part ${live?.id} of a post that broke off`);
    assert.match(message, 'fromProvider=true');
    assert.is((await bench.calls.social.postDelete({ postId: id, fromProvider: 'true' })).status, 'deleting');
    await bench.drain();
    const post = await bench.read(id);
    assert.equal([post.status, ...bench.targets(post)], ['deleted', 'x deleted']);
    assert.equal(bench.seen('x'), []);
    await bench.close();
  });

  test('while a post is deleted on the networks, its social event keeps the status of the post', async () => {
    const bench = await openSocialBench(database, ['x', 'bluesky']);
    const { social, socialEvents } = bench.calls;
    const event = {
      eventKey: 'release_published',
      variables: { product: 'Acme Studio', version: '4.2', summary: 'Boards load in under a second.' },
    } as const;
    const triggerDraft = async (channels: string[], threadTweets: string[] = []) => {
      const { postId, runId } = await socialEvents.trigger({ ...event, channels });
      assert.ok(postId !== null);
      if (threadTweets.length > 0) await social.postUpdate({ postId, threadTweets });
      return { postId, runId };
    };
    const statusesListing = async (runId: string) => {
      const statuses: string[] = [];
      for (const status of ['published', 'partially_published', 'failed', 'deleted'] as const) {
        const { data } = await socialEvents.runs({ status });
        statuses.push(...data.filter((run) => run.runId === runId).map((run) => `${status} ${run.status}`));
      }
      return statuses;
    };
    const deleting = async (postId: string) =>
      assert.is((await social.postDelete({ postId, fromProvider: 'true' })).status, 'deleting');

    const intactPost = await triggerDraft(['x', 'bluesky']);
    await social.postPublish({ postId: intactPost.postId });
    await bench.drain();
    await deleting(intactPost.postId);
    assert.equal(await statusesListing(intactPost.runId), ['published published']);

    const partly = await triggerDraft(['x', 'bluesky']);
    bench.network('x').simulateFault('rejected');
    await social.postPublish({ postId: partly.postId });
    await bench.drain();
    bench.network('x').simulateFault(null);
    await deleting(partly.postId);
    assert.equal(await statusesListing(partly.runId), ['partially_published partially_published']);

    const brokenPost = await triggerDraft(['x'], ['two']);
    bench.network('x').simulateFault('breaks after');
    await social.postPublish({ postId: brokenPost.postId });
    await bench.drain();
    bench.network('x').simulateFault('rejected');
    await bench.jump(1);
    bench.network('x').simulateFault(null);
    assert.equal(await statusesListing(brokenPost.runId), ['failed failed']);
    await deleting(brokenPost.postId);
    assert.equal(await statusesListing(brokenPost.runId), ['failed failed']);
    await bench.drain();
    for (const { runId } of [intactPost, partly, brokenPost])
      assert.equal(await statusesListing(runId), ['deleted deleted']);
    await bench.close();
  });

  test('a channel with live parts cannot be removed from the post, but its texts can be changed', async () => {
    const { bench, id } = await openWithBrokenThreadOnX();
    await bench.connect('bluesky');
    bench.advanceClock(61_000);
    await bench.calls.social.networksRefresh({});
    await bench.calls.social.postSchedule({ postId: id, scheduledAt: null });
    const { code, message } = await errorOf(bench.calls.social.postUpdate({ postId: id, channels: ['bluesky'] }));
    assert.is(code, 'state_conflict');
    assert.match(message, 'is live on x');
    await bench.calls.social.postUpdate({ postId: id, channels: ['x', 'bluesky'], threadTweets: ['the rest'] });
    await bench.calls.social.postPublish({ postId: id });
    await bench.drain();
    assert.equal(bench.seen('x'), ['one', 'the rest']);
    await bench.close();
  });

  test('if the network refuses the deletion, the post fails again and its schedule is canceled', async () => {
    const { bench, id } = await openWithBrokenThreadOnX();
    const before = await bench.balance();
    const scheduledAt = new Date(bench.now() + 2 * hour).toISOString();
    await bench.calls.social.postSchedule({ postId: id, scheduledAt });
    assert.is((await errorOf(bench.calls.social.postDelete({ postId: id }))).code, 'state_conflict');
    bench.network('x').simulateFault('disconnected');
    await bench.calls.social.postDelete({ postId: id, fromProvider: 'true' });
    await bench.drain();
    const post = await bench.read(id);
    assert.equal([post.status, ...bench.targets(post)], ['failed', 'x failed account_disconnected']);
    assert.equal([post.scheduledAt, await bench.balance()], [null, before]);
    await bench.jump(180);
    assert.equal(bench.seen('x'), ['one']);
    await bench.close();
  });

  test('a post whose outcome is unknown can be deleted, and its error says that nothing was deleted on the network', async () => {
    const bench = await openSocialBench(database, ['x']);
    bench.network('x').simulateFault('breaks before');
    const { id } = await bench.calls.social.postCreate({ channels: ['x'], caption: 'one', publish: true });
    await bench.drain();
    bench.network('x').simulateFault('blind');
    for (const minutes of [1, 1, 5, 30, 120, 360, 1_440]) await bench.jump(minutes);
    assert.equal(bench.targets(await bench.read(id)), ['x unknown outcome_unknown']);
    const { status, targets } = await bench.calls.social.postDelete({ postId: id });
    assert.equal([status, targets[0]?.status, targets[0]?.error?.code], ['deleted', 'unknown', 'outcome_unknown']);
    assert.match(targets[0]?.error?.message ?? '', 'Nothing was deleted there');
    await bench.close();
  });

  test('a post is not deleted while a part of its broken thread cannot be deleted', async () => {
    const { bench, id } = await openWithBrokenThread();
    bench.network('x').simulateFault('disconnected');
    await bench.calls.social.postDelete({ postId: id, fromProvider: 'true' });
    await bench.drain();
    const post = await bench.read(id);
    assert.equal(
      [post.status, ...bench.targets(post)],
      ['partially_published', 'x failed account_disconnected', 'bluesky deleted'],
    );
    assert.equal(bench.seen('x'), ['one']);
    await bench.close();
  });

  test('a part that a network did not delete is deleted by the next attempt', async () => {
    const { bench, id } = await openWithBrokenThread();
    bench.network('x').simulateFault('down');
    await bench.calls.social.postDelete({ postId: id, fromProvider: 'true' });
    await bench.drain();
    for (const minutes of [1, 5, 15, 60, 180]) await bench.jump(minutes);
    const afterFirstAttempt = await bench.read(id);
    assert.equal(
      [afterFirstAttempt.status, ...bench.targets(afterFirstAttempt)],
      ['partially_published', 'x failed delete_failed', 'bluesky deleted'],
    );
    bench.network('x').simulateFault(null);
    await bench.calls.social.postDelete({ postId: id, fromProvider: 'true' });
    await bench.drain();
    const post = await bench.read(id);
    assert.equal([post.status, ...bench.targets(post)], ['deleted', 'x deleted', 'bluesky deleted']);
    assert.equal(bench.seen('x'), []);
    await bench.close();
  });
});

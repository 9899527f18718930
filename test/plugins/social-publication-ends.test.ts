// time-limit: 240
// Scheduled posts and the checks at their time, simulated sandbox publications, and the deletion of live posts.
// full-run: slow
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { openSocialBench } from '../support/social-bench.ts';

const hour = 3_600_000;

await twoDatabases('ends of social publications', (test, database) => {
  const scheduled = async (channels = ['x']) => {
    const bench = await openSocialBench(database, channels);
    const scheduleAt = new Date(bench.now() + 2 * hour).toISOString();
    const { id, status } = await bench.calls.social.postCreate({ channels, caption: 'one', scheduleAt });
    assert.is(status, 'scheduled');
    return { bench, id };
  };

  test('a scheduled post is published at its time', async () => {
    const { bench, id } = await scheduled();
    await bench.jump(119);
    assert.equal(bench.seen('x'), []);
    await bench.jump(1);
    await bench.drain();
    assert.equal(bench.seen('x'), ['one']);
    assert.is((await bench.read(id)).status, 'published');
    await bench.close();
  });

  test('a rescheduled post is published at the new time only, and an unscheduled one never', async () => {
    const { bench, id } = await scheduled();
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

  test('a post up to 6 hours late is published; a later one fails and its credits are released', async () => {
    const late = await scheduled();
    await late.bench.jump(2 * 60 + 359);
    await late.bench.drain();
    assert.equal(late.bench.seen('x'), ['one']);
    await late.bench.close();
    const missed = await scheduled();
    await missed.bench.jump(2 * 60 + 361);
    const post = await missed.bench.read(missed.id);
    assert.equal([post.status, ...missed.bench.targets(post)], ['failed', 'x failed missed']);
    assert.equal(missed.bench.seen('x'), []);
    assert.is(await missed.bench.balance(), 3_000);
    assert.equal(await missed.bench.events('social.post.failed'), [post]);
    await missed.bench.close();
  });

  test('a later price rise never costs more than the hold, and the hold lasts as long as the schedule', async () => {
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
    const held = await bench.calls.social.postRead({ postId: id });
    assert.equal([held.status, held.credits], ['scheduled', { price: 1, charged: 0 }]);
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

  test('if an account was disconnected meanwhile, the post fails on every channel and nothing is published', async () => {
    const { bench, id } = await scheduled(['x', 'bluesky']);
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
    const { bench, id } = await scheduled();
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
    const asked = await bench.calls.social.postDelete({ postId: id, fromProvider: 'true' });
    assert.is(asked.status, 'deleting');
    await bench.drain();
    const post = await bench.read(id);
    assert.equal([post.status, ...bench.targets(post)], ['deleted', 'x deleted', 'bluesky deleted']);
    assert.equal([...bench.seen('x'), ...bench.seen('bluesky')], []);
    assert.equal(await bench.events('social.post.deleted'), [post]);
    await bench.close();
  });

  test('a deletion is retried if a network is down; if one refuses, the post stays live there with the reason', async () => {
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

  /** A post that is live on Bluesky, and on X with the first part of a broken thread. */
  const broken = async () => {
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

  /** A post on X only, whose thread broke after the first part. */
  const brokenAlone = async () => {
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
  const refused = async (call: Promise<unknown>): Promise<{ code: string; message: string }> => {
    const error = await call.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    return error as { code: string; message: string };
  };

  test('a failed post with live parts cannot be deleted only locally, and the error names the parts', async () => {
    const { bench, id } = await brokenAlone();
    const [live] = bench.network('x').posts();
    const { code, message } = await refused(bench.calls.social.postDelete({ postId: id }));
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
    const drafted = async (channels: string[], threadTweets: string[] = []) => {
      const { postId, runId } = await socialEvents.trigger({ ...event, channels });
      assert.ok(postId !== null);
      if (threadTweets.length > 0) await social.postUpdate({ postId, threadTweets });
      return { postId, runId };
    };
    const statusesListing = async (runId: string) => {
      const found: string[] = [];
      for (const status of ['published', 'partially_published', 'failed', 'deleted'] as const) {
        const { data } = await socialEvents.runs({ status });
        found.push(...data.filter((run) => run.runId === runId).map((run) => `${status} ${run.status}`));
      }
      return found;
    };
    const deleting = async (postId: string) =>
      assert.is((await social.postDelete({ postId, fromProvider: 'true' })).status, 'deleting');

    const whole = await drafted(['x', 'bluesky']);
    await social.postPublish({ postId: whole.postId });
    await bench.drain();
    await deleting(whole.postId);
    assert.equal(await statusesListing(whole.runId), ['published published']);

    const partly = await drafted(['x', 'bluesky']);
    bench.network('x').simulateFault('rejected');
    await social.postPublish({ postId: partly.postId });
    await bench.drain();
    bench.network('x').simulateFault(null);
    await deleting(partly.postId);
    assert.equal(await statusesListing(partly.runId), ['partially_published partially_published']);

    const broken = await drafted(['x'], ['two']);
    bench.network('x').simulateFault('breaks after');
    await social.postPublish({ postId: broken.postId });
    await bench.drain();
    bench.network('x').simulateFault('rejected');
    await bench.jump(1);
    bench.network('x').simulateFault(null);
    assert.equal(await statusesListing(broken.runId), ['failed failed']);
    await deleting(broken.postId);
    assert.equal(await statusesListing(broken.runId), ['failed failed']);
    await bench.drain();
    for (const { runId } of [whole, partly, broken]) assert.equal(await statusesListing(runId), ['deleted deleted']);
    await bench.close();
  });

  test('a channel with live parts cannot be removed from the post, but its texts can change', async () => {
    const { bench, id } = await brokenAlone();
    await bench.connect('bluesky');
    bench.advanceClock(61_000);
    await bench.calls.social.networksRefresh({});
    await bench.calls.social.postSchedule({ postId: id, scheduledAt: null });
    const { code, message } = await refused(bench.calls.social.postUpdate({ postId: id, channels: ['bluesky'] }));
    assert.is(code, 'state_conflict');
    assert.match(message, 'is live on x');
    await bench.calls.social.postUpdate({ postId: id, channels: ['x', 'bluesky'], threadTweets: ['the rest'] });
    await bench.calls.social.postPublish({ postId: id });
    await bench.drain();
    assert.equal(bench.seen('x'), ['one', 'the rest']);
    await bench.close();
  });

  test('if the network refuses the deletion, the post fails again and its schedule is canceled', async () => {
    const { bench, id } = await brokenAlone();
    const before = await bench.balance();
    const scheduledAt = new Date(bench.now() + 2 * hour).toISOString();
    await bench.calls.social.postSchedule({ postId: id, scheduledAt });
    assert.is((await refused(bench.calls.social.postDelete({ postId: id }))).code, 'state_conflict');
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

  test('a post of unknown outcome can be deleted, and its error says that nothing was deleted on the network', async () => {
    const bench = await openSocialBench(database, ['x']);
    bench.network('x').simulateFault('breaks before');
    const { id } = await bench.calls.social.postCreate({ channels: ['x'], caption: 'one', publish: true });
    await bench.drain();
    bench.network('x').simulateFault('blind');
    for (const minutes of [1, 1, 5, 30, 120, 360, 1_440]) await bench.jump(minutes);
    assert.equal(bench.targets(await bench.read(id)), ['x unknown outcome_unknown']);
    const { status, targets } = await bench.calls.social.postDelete({ postId: id });
    assert.equal([status, targets[0]?.status, targets[0]?.error?.code], ['deleted', 'unknown', 'outcome_unknown']);
    assert.match(targets[0]?.error?.message ?? '', 'nothing was deleted there');
    await bench.close();
  });

  test('a post is not deleted while a part of its broken thread cannot be deleted', async () => {
    const { bench, id } = await broken();
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
    const { bench, id } = await broken();
    bench.network('x').simulateFault('down');
    await bench.calls.social.postDelete({ postId: id, fromProvider: 'true' });
    await bench.drain();
    for (const minutes of [1, 5, 15, 60, 180]) await bench.jump(minutes);
    const kept = await bench.read(id);
    assert.equal(
      [kept.status, ...bench.targets(kept)],
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

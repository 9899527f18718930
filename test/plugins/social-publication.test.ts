// time-limit: 240
// Publications: jobs, recorded steps, lost responses, rate limits and refusals of networks, credits, events and outcomes.
// full-run: slow
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { openSocialBench } from '../support/social-bench.ts';

const thread = { channels: ['x'], caption: 'one', threadTweets: ['two', 'three'], publish: true };

await twoDatabases('social publications', (test, database) => {
  test('a post is published on all of its channels, charged, and reported by an event', async () => {
    const bench = await openSocialBench(database, ['x', 'bluesky']);
    const before = await bench.balance();
    const created = await bench.calls.social.postCreate({
      channels: ['x', 'bluesky'],
      caption: 'Acme 2.0 is here',
      hashtags: ['launch'],
      linkUrl: 'https://acme.com/2',
      publish: true,
    });
    assert.is(created.status, 'publishing');
    assert.is(await bench.balance(), before - 4, 'the price is reserved');
    await bench.drain();
    const post = await bench.read(created.id);
    assert.equal([post.status, ...bench.targets(post)], ['published', 'x published', 'bluesky published']);
    assert.equal(bench.seen('x'), ['Acme 2.0 is here\n\n#launch\n\nhttps://acme.com/2']);
    assert.equal(bench.seen('bluesky'), ['Acme 2.0 is here\n\n#launch']);
    assert.is(bench.network('bluesky').posts()[0]?.linkUrl, 'https://acme.com/2');
    assert.equal(post.credits, { price: 4, charged: 4 });
    assert.is(await bench.balance(), before - 4);
    const [event] = await bench.events('social.post.published');
    assert.equal(event, post);
    await bench.close();
  });

  test('if a response is lost after its effect, the post is found and not published a second time', async () => {
    const bench = await openSocialBench(database);
    bench.network('x').simulateFault('breaks after');
    const { id } = await bench.calls.social.postCreate(thread);
    await bench.drain();
    assert.is((await bench.read(id)).status, 'publishing');
    assert.equal(bench.seen('x'), ['one']);
    await bench.passMinutes(2);
    assert.is((await bench.read(id)).status, 'published');
    assert.equal(bench.seen('x'), ['one', 'two', 'three']);
    await bench.close();
  });

  test('a request that was lost before its effect is sent again', async () => {
    const bench = await openSocialBench(database);
    bench.network('x').simulateFault('breaks before');
    const { id } = await bench.calls.social.postCreate(thread);
    await bench.drain();
    assert.equal(bench.seen('x'), []);
    await bench.passMinutes(2);
    assert.is((await bench.read(id)).status, 'published');
    assert.equal(bench.seen('x'), ['one', 'two', 'three']);
    await bench.close();
  });

  test('if a network cannot report the fate of a post for a day, its outcome is unknown', async () => {
    const bench = await openSocialBench(database);
    const { network, calls, jump } = bench;
    const before = await bench.balance();
    network('x').simulateFault('breaks after');
    const { id } = await calls.social.postCreate({ channels: ['x'], caption: 'one', publish: true });
    await bench.drain();
    network('x').simulateFault('blind');
    for (const minutes of [1, 1, 5, 30, 120, 360]) await jump(minutes);
    assert.is((await bench.read(id)).status, 'publishing');
    await jump(24 * 60);
    const post = await bench.read(id);
    assert.equal([post.status, ...bench.targets(post)], ['failed', 'x unknown outcome_unknown']);
    assert.is(await bench.balance(), before, 'nothing is charged');
    assert.is((await bench.events('social.post.failed')).length, 1);
    // Without retryUnknown the post is not published again.
    const again = await calls.social.postPublish({ postId: id }).catch((error: unknown) => error);
    assert.is((again as { code: string }).code, 'state_conflict');
    network('x').simulateFault(null);
    await calls.social.postPublish({ postId: id, retryUnknown: true });
    await bench.passMinutes(2);
    assert.is((await bench.read(id)).status, 'published');
    assert.equal(bench.seen('x'), ['one'], 'the network now reports that it is live');
    await bench.close();
  });

  test('retryUnknown publishes again even if the network still cannot report the fate', async () => {
    const bench = await openSocialBench(database);
    const { network, calls, jump } = bench;
    network('x').simulateFault('breaks before');
    const { id } = await calls.social.postCreate({ channels: ['x'], caption: 'one', publish: true });
    await bench.drain();
    network('x').simulateFault('blind');
    for (const minutes of [1, 1, 5, 30, 120, 360, 24 * 60]) await jump(minutes);
    assert.is((await bench.read(id)).targets[0]?.status, 'unknown');
    await calls.social.postPublish({ postId: id, retryUnknown: true });
    await bench.drain();
    assert.is((await bench.read(id)).status, 'published');
    assert.equal(bench.seen('x'), ['one']);
    await bench.close();
  });

  test('a network that is down is retried after 1, 5, 15, 60 and 180 minutes', async () => {
    const bench = await openSocialBench(database);
    bench.network('x').simulateFault('down');
    const { id } = await bench.calls.social.postCreate({ channels: ['x'], caption: 'one', publish: true });
    await bench.drain();
    const attempts = [];
    for (const minutes of [0, 1, 5, 15, 60, 180]) {
      await bench.jump(minutes);
      attempts.push((await bench.read(id)).targets[0]?.attempts);
    }
    const post = await bench.read(id);
    assert.equal([post.status, ...bench.targets(post)], ['failed', 'x failed provider_unreachable']);
    assert.match(post.targets[0]?.error?.message ?? '', /^X could not be reached/);
    assert.equal(attempts.slice(0, 5), [1, 2, 3, 4, 5]);
    assert.equal(post.credits.charged, 0);
    // The post can be published later.
    bench.network('x').simulateFault(null);
    await bench.calls.social.postPublish({ postId: id });
    await bench.drain();
    assert.is((await bench.read(id)).status, 'published');
    assert.equal(bench.seen('x'), ['one']);
    await bench.close();
  });

  test('a rate limit delays the post without counting as an attempt, and after 24 hours the target fails', async () => {
    const bench = await openSocialBench(database, ['x', 'bluesky']);
    bench.network('x').simulateFault('limited');
    bench.network('bluesky').simulateFault('limited');
    const { id } = await bench.calls.social.postCreate({ channels: ['x', 'bluesky'], caption: 'one', publish: true });
    await bench.drain();
    await bench.jump(15);
    assert.equal(
      (await bench.read(id)).targets.map(({ status, attempts }) => [status, attempts]),
      [
        ['publishing', 0],
        ['publishing', 0],
      ],
    );
    bench.network('bluesky').simulateFault(null);
    for (let hours = 0; hours < 25; hours += 1) await bench.jump(60);
    const post = await bench.read(id);
    assert.equal(bench.targets(post), ['x failed provider_limited', 'bluesky published']);
    assert.is(post.status, 'partially_published');
    await bench.close();
  });

  test('another failure between rate limits does not restart the 24 hours', async () => {
    const bench = await openSocialBench(database);
    const network = bench.network('x');
    network.simulateFault('limited');
    const { id } = await bench.calls.social.postCreate({ channels: ['x'], caption: 'one', publish: true });
    await bench.drain();
    for (let hours = 0; hours < 20; hours += 1) await bench.jump(60);
    network.simulateFault('down');
    await bench.jump(15);
    network.simulateFault('limited');
    for (let hours = 0; hours < 5; hours += 1) await bench.jump(60);
    assert.equal(bench.targets(await bench.read(id)), ['x failed provider_limited']);
    await bench.close();
  });

  test("a refusal fails at once with the network's message, and the other channels are published", async () => {
    const bench = await openSocialBench(database, ['x', 'bluesky']);
    bench.network('x').simulateFault('rejected');
    const before = await bench.balance();
    const { id } = await bench.calls.social.postCreate({ channels: ['x', 'bluesky'], caption: 'one', publish: true });
    await bench.drain();
    const post = await bench.read(id);
    assert.equal(
      [post.status, ...bench.targets(post)],
      ['partially_published', 'x failed provider_rejected', 'bluesky published'],
    );
    assert.is(post.targets[0]?.error?.message, 'X refused the post: This post breaks a rule of the network.');
    assert.is(await bench.balance(), before);
    assert.equal(await bench.events('social.post.partially_published'), [post]);
    bench.network('x').simulateFault(null);
    await bench.calls.social.postPublish({ postId: id });
    await bench.drain();
    assert.is((await bench.read(id)).status, 'published');
    assert.equal([bench.seen('x'), bench.seen('bluesky')], [['one'], ['one']]);
    assert.is(await bench.balance(), before - 1);
    await bench.close();
  });

  test('refused credentials fail the target, and the connector and the account are marked as revoked', async () => {
    const bench = await openSocialBench(database);
    bench.network('x').simulateFault('disconnected');
    const { id } = await bench.calls.social.postCreate({ channels: ['x'], caption: 'one', publish: true });
    await bench.drain();
    assert.equal(bench.targets(await bench.read(id)), ['x failed account_disconnected']);
    assert.is((await bench.service.connectors.list(bench.workspaceId))[0]?.status, 'revoked');
    const [network] = (await bench.calls.social.networks({})).data;
    assert.is(network?.status, 'revoked');
    assert.equal(await bench.events('social.network.disconnected'), [network]);
    await bench.close();
  });

  test('a broken thread is charged for its visible parts, and a retry continues after the last of them', async () => {
    let fails = true;
    const bench = await openSocialBench(database, ['x'], {
      onPhase(phase, subject) {
        if (fails && phase === 'social.step_ended' && subject.endsWith(' post 1'))
          bench.network('x').simulateFault('rejected');
      },
    });
    const before = await bench.balance();
    const { id } = await bench.calls.social.postCreate(thread);
    await bench.drain();
    fails = false;
    assert.equal(bench.seen('x'), ['one']);
    assert.equal((await bench.read(id)).credits, { price: 3, charged: 1 });
    assert.is(await bench.balance(), before - 1, 'the other credits are released');
    bench.network('x').simulateFault(null);
    await bench.calls.social.postPublish({ postId: id });
    await bench.drain();
    assert.equal(bench.seen('x'), ['one', 'two', 'three']);
    assert.is((await bench.read(id)).status, 'published');
    assert.is(await bench.balance(), before - 3, 'each part is charged once');
    await bench.close();
  });

  test('after its text has changed, a failed publication is not continued', async () => {
    const bench = await openSocialBench(database);
    bench.network('x').simulateFault('rejected');
    const { id } = await bench.calls.social.postCreate({ channels: ['x'], caption: 'old', publish: true });
    await bench.drain();
    await bench.calls.social.postSchedule({ postId: id, scheduledAt: null });
    await bench.calls.social.postUpdate({ postId: id, caption: 'new' });
    bench.network('x').simulateFault(null);
    await bench.calls.social.postPublish({ postId: id });
    await bench.drain();
    assert.equal(bench.seen('x'), ['new']);
    await bench.close();
  });
});

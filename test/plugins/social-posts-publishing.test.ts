// time-limit: 240
// Publishing posts: each state transition, plans, scopes, credits, the sandbox.
// full-run: slow
import * as assert from 'uvu/assert';
import { inWorkspace } from '../../core/unstable.ts';
import { postRows, type SocialPostStatus, type TargetStatus, targetRows } from '../../plugins/social/tables.ts';
import { twoDatabases } from '../support/databases.ts';
import { noRateLimits } from '../support/mail-bench.ts';
import { openPostsBench, type PostsBench } from '../support/social-posts-bench.ts';

const hour = 3_600_000;
const day = 24 * hour;

await twoDatabases('publishing social posts', (test, database) => {
  let bench: PostsBench;
  test.before(async () => {
    bench = await openPostsBench(database, { plans: { pro: noRateLimits } });
    await bench.connect('x');
    await bench.connect('bluesky');
    await bench.connect('instagram');
  });
  test.after(() => bench.close());
  test.before.each(() => {
    for (const { capture } of bench.networks) capture.simulateFault(null);
  });

  const at = (ms: number): string => new Date(bench.now() + ms).toISOString();
  const ready = (body: object = {}) => bench.post({ channels: ['bluesky'], caption: 'Hello', ...body });
  const publish = (id: string, body: object = {}, key?: string) =>
    bench.call(`/${id}/publish`, body, key === undefined ? {} : { key });
  const schedule = (id: string, scheduledAt: string | null, key?: string) =>
    bench.call(`/${id}/schedule`, { scheduledAt }, key === undefined ? {} : { key });
  const remove = (id: string, query = '', key?: string) =>
    bench.call(`/${id}${query}`, undefined, { method: 'DELETE', ...(key === undefined ? {} : { key }) });
  const patch = (id: string, body: object) => bench.call(`/${id}`, body, { method: 'PATCH' });
  const codeOf = ({ status, body }: { status: number; body: { error?: { code: string }; status?: string } }) =>
    status < 300 ? body.status : body.error?.code;
  const within = async (work: Parameters<typeof inWorkspace>[2]) =>
    inWorkspace(bench.service.core, await bench.service.workspaces.read(bench.workspaceId), work);
  /** Stores states that otherwise only networks cause. */
  const put = async (status: SocialPostStatus, target: TargetStatus = 'pending'): Promise<string> => {
    const { id } = await ready();
    await within(async ({ trx }) => {
      await postRows.update(trx, id, { status });
      for (const row of await targetRows.findIn(trx, 'post_id', [id]))
        await targetRows.update(trx, row.id, { status: target });
    });
    return id;
  };

  test('PATCH is possible only in the states draft and ready', async () => {
    const states: SocialPostStatus[] = [
      'scheduled',
      'pending_approval',
      'publishing',
      'published',
      'partially_published',
      'failed',
      'deleting',
      'deleted',
    ];
    for (const status of states)
      assert.is(codeOf(await patch(await put(status), { caption: 'New' })), 'state_conflict', status);
    for (const status of ['draft', 'ready'] as const)
      assert.is(codeOf(await patch(await put(status), { caption: 'New' })), 'ready', status);
  });

  test('a post can be scheduled in the states draft, ready, scheduled and failed, and this emits an event', async () => {
    for (const status of ['draft', 'ready', 'scheduled', 'failed'] as const) {
      const id = await put(status);
      const time = at(day);
      const { body } = await schedule(id, time);
      assert.equal([body.status, body.scheduledAt], ['scheduled', time], status);
      assert.equal((await bench.events('social.post.scheduled')).at(-1), body);
    }
    const states: SocialPostStatus[] = [
      'pending_approval',
      'publishing',
      'published',
      'partially_published',
      'deleting',
      'deleted',
    ];
    for (const status of states)
      assert.is(codeOf(await schedule(await put(status), at(day))), 'state_conflict', status);
    assert.is(codeOf(await schedule(await put('failed', 'unknown'), at(day))), 'state_conflict');
  });

  test('a post can be scheduled from now to 365 days ahead', async () => {
    const { id } = await ready();
    for (const time of [at(-1), at(365 * day + 1)]) assert.is(codeOf(await schedule(id, time)), 'schedule_at_invalid');
    assert.is(codeOf(await schedule(id, at(365 * day))), 'scheduled');
  });

  test('a post can be unscheduled in the states scheduled and failed', async () => {
    for (const status of ['scheduled', 'failed'] as const)
      assert.is(codeOf(await schedule(await put(status), null)), 'ready', status);
    const states: SocialPostStatus[] = [
      'draft',
      'ready',
      'pending_approval',
      'publishing',
      'published',
      'partially_published',
      'deleting',
      'deleted',
    ];
    for (const status of states) assert.is(codeOf(await schedule(await put(status), null)), 'state_conflict', status);
    assert.is(codeOf(await schedule(await put('failed', 'unknown'), null)), 'state_conflict');
  });

  test('a post can be published in the states draft, ready, scheduled, failed and partially_published', async () => {
    for (const status of ['draft', 'ready', 'scheduled', 'failed', 'partially_published'] as const)
      assert.is(codeOf(await publish(await put(status))), 'publishing', status);
    for (const status of ['pending_approval', 'publishing', 'published', 'deleting', 'deleted'] as const)
      assert.is(codeOf(await publish(await put(status))), 'state_conflict', status);
    const publishingId = await put('publishing');
    assert.is(
      (await publish(publishingId)).body.error.message,
      `The post ${publishingId} is publishing already. Calls cannot change it until this has ended. GET /v1/social/posts/${publishingId} shows the result.`,
    );
    for (const status of ['failed', 'partially_published'] as const) {
      const id = await put(status, 'unknown');
      assert.is(codeOf(await publish(id)), 'state_conflict');
      assert.is(codeOf(await publish(id, { retryUnknown: true })), 'publishing');
    }
  });

  test('publishing or scheduling a post with problems leaves it unchanged', async () => {
    const post = await bench.post({ channels: ['bluesky'] });
    for (const answer of [await publish(post.id), await schedule(post.id, at(day))]) {
      assert.is(codeOf(answer), 'post_invalid');
      assert.equal(answer.body.error.details, [
        { path: 'caption', code: 'text_missing', message: 'Bluesky needs a text.' },
      ]);
    }
    assert.equal(await bench.read(post.id), post);
  });

  test('DELETE removes a post that is not live, returns 200 the second time, and the post can be read for 30 days', async () => {
    for (const status of ['draft', 'ready', 'scheduled', 'pending_approval', 'failed'] as const) {
      const id = await put(status);
      assert.is(codeOf(await remove(id)), 'deleted', status);
      assert.is(codeOf(await remove(id)), 'deleted', status);
    }
    for (const status of ['publishing', 'published', 'partially_published', 'deleting'] as const)
      assert.is(codeOf(await remove(await put(status))), 'state_conflict', status);
    const { id } = await ready();
    await remove(id);
    assert.is((await bench.events('social.post.deleted')).filter((post) => post.id === id).length, 1);
    await bench.service.jobs.runSchedules();
    bench.advanceClock(30 * day - hour);
    assert.is((await bench.call(`/${id}`)).status, 200);
    bench.advanceClock(2 * hour);
    for (const path of [`/${id}`, `/${id}/analytics`])
      assert.is((await bench.call(path)).body.error.code, 'post_not_found', path);
    const { data: deleted } = (await bench.call('?status=deleted&limit=100')).body;
    assert.not(deleted.some((post: { id: string }) => post.id === id));
    assert.is((await remove(id)).body.error.code, 'post_not_found');
    await bench.service.jobs.runSchedules();
    assert.is(await within(({ trx }) => postRows.find(trx, id)), undefined);
    assert.equal(await within(({ trx }) => targetRows.findIn(trx, 'post_id', [id])), []);
  });

  test('a published post is visible on its networks, and can be deleted from them', async () => {
    const post = await ready({ channels: ['bluesky', 'x'], publish: true });
    assert.is(post.status, 'publishing');
    await bench.drain();
    const live = await bench.read(post.id);
    assert.equal([live.status, live.problems, live.credits], ['published', [], { price: 1, charged: 1 }]);
    const events = await bench.events('social.post.published');
    assert.equal(
      events.filter(({ id }) => id === post.id),
      [live],
    );
    const visibleOn = () =>
      bench
        .network('x')
        .capture.posts()
        .filter(({ postId }) => postId === post.id);
    assert.equal(
      visibleOn().map(({ text }) => text),
      ['Hello'],
    );
    assert.match((await publish(post.id)).body.error.message, 'is published already. Nothing is left to publish.');
    assert.is(codeOf(await remove(post.id, '?fromProvider=true')), 'deleting');
    await bench.drain();
    assert.equal([(await bench.read(post.id)).status, visibleOn()], ['deleted', []]);
  });

  test('if one network cannot delete posts, the deletion is refused before anything is deleted', async () => {
    const media = [
      {
        kind: 'image',
        assetId: (
          await bench.request('/v1/assets', {
            body: {
              name: 'Pixel',
              dataBase64:
                'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
            },
          })
        ).body.assetId,
      },
    ];
    const { id } = await ready({ channels: ['bluesky', 'instagram'], media, publish: true });
    await bench.drain();
    assert.is((await bench.read(id)).status, 'published');
    assert.is(codeOf(await remove(id, '?fromProvider=true')), 'delete_unsupported');
    assert.is((await bench.read(id)).status, 'published');
  });

  test('a scheduled post is published at its time', async () => {
    const post = await ready({ scheduleAt: at(2 * hour) });
    assert.is(post.status, 'scheduled');
    await bench.drain();
    assert.is((await bench.read(post.id)).status, 'scheduled');
    bench.advanceClock(2 * hour);
    await bench.drain();
    await bench.drain();
    assert.is((await bench.read(post.id)).status, 'published');
  });

  test('an unscheduled, deleted or already published post is not published at its former time', async () => {
    const off = await ready({ scheduleAt: at(hour) });
    const deletedPost = await ready({ scheduleAt: at(hour) });
    const earlyPost = await ready({ scheduleAt: at(hour) });
    await schedule(off.id, null);
    await remove(deletedPost.id);
    await publish(earlyPost.id);
    bench.advanceClock(2 * hour);
    await bench.drain();
    const count = (id: string) =>
      bench
        .network('bluesky')
        .capture.posts()
        .filter(({ postId }) => postId === id).length;
    assert.equal([count(off.id), count(deletedPost.id), count(earlyPost.id)], [0, 0, 1]);
  });

  test('the price is reserved when the call is accepted, is charged for published parts, and is released for other parts', async () => {
    const before = await bench.credits();
    const spentCredits = async () => before - (await bench.credits());
    const thread = { channels: ['x'], caption: 'One', threadTweets: ['two', 'https://example.com'] };
    const post = await ready(thread);
    assert.is(post.credits.price, 6);
    assert.is(await spentCredits(), 0);
    await schedule(post.id, at(day));
    assert.is(await spentCredits(), 6);
    await schedule(post.id, null);
    assert.is(await spentCredits(), 0);
    await schedule(post.id, at(day));
    await publish(post.id);
    assert.is(await spentCredits(), 6);
    await bench.drain();
    assert.is(await spentCredits(), 6);
    assert.equal((await bench.read(post.id)).credits, { price: 6, charged: 6 });
    bench.network('x').capture.simulateFault('rejected');
    const refusedPost = await ready({ ...thread, publish: true });
    assert.is(await spentCredits(), 12);
    await bench.drain();
    assert.is(await spentCredits(), 6);
    const failedPost = await bench.read(refusedPost.id);
    assert.equal([failedPost.status, failedPost.credits.charged], ['failed', 0]);
    const waiting = await ready({ ...thread, scheduleAt: at(day) });
    await remove(waiting.id);
    assert.is(await spentCredits(), 6);
  });

  test('without enough credits nothing is published', async () => {
    const credits = await bench.credits();
    await within(({ charge }) => charge(credits - 3, 'the rest'));
    const tweets = ['https://example.com'];
    const post = await ready({ channels: ['x'], threadTweets: tweets });
    const answer = await publish(post.id);
    assert.equal([answer.status, answer.body.error.code], [402, 'credits_exhausted']);
    assert.equal(await bench.read(post.id), post);
    const created = await bench.call('', { channels: ['x'], caption: 'a', threadTweets: tweets, publish: true });
    assert.is(codeOf(created), 'credits_exhausted');
  });

  test('only a key with the publish scope can publish', async () => {
    const key = await bench.keyWith(['social:posts:write']);
    const body = { channels: ['bluesky'], caption: 'Hello' };
    for (const more of [{ publish: true }, { scheduleAt: at(day) }])
      assert.is(codeOf(await bench.call('', { ...body, ...more }, { key })), 'insufficient_scope');
    const refusal = await bench.call('', { ...body, publish: true }, { key });
    assert.match(refusal.body.error.message, /leave out publish and scheduleAt to store the post/);
    const { id } = await bench.post(body, key);
    assert.is(codeOf(await publish(id, {}, key)), 'insufficient_scope');
    assert.is(codeOf(await schedule(id, at(day), key)), 'insufficient_scope');
    assert.is(codeOf(await remove(id, '?fromProvider=true', key)), 'insufficient_scope');
    assert.is(codeOf(await remove(id, '', key)), 'deleted');
  });

  test('only plans from tier 2 can publish, and the sandbox plan can simulate publishing', async () => {
    const { id } = await ready();
    const scheduledPost = await ready({ scheduleAt: at(day) });
    await bench.service.workspaces.update(bench.workspaceId, { plan: 'hobby' });
    try {
      assert.is(codeOf(await schedule(scheduledPost.id, null)), 'ready');
      const answers = [
        await publish(id),
        await schedule(id, at(day)),
        await bench.call('', { channels: ['bluesky'], caption: 'a', publish: true }),
      ];
      for (const answer of answers) {
        assert.equal([answer.status, answer.body.error.code], [403, 'plan_required']);
        assert.match(answer.body.error.message, 'pro');
      }
      assert.is((await bench.call('', { channels: ['bluesky'], caption: 'a' })).status, 201);
      await bench.service.workspaces.update(bench.workspaceId, { plan: 'sandbox' });
      const simulatedPost = await bench.post({ channels: ['bluesky'], caption: 'a', publish: true }, bench.testKey);
      assert.is(simulatedPost.status, 'publishing');
    } finally {
      await bench.service.workspaces.update(bench.workspaceId, { plan: 'pro' });
    }
  });

  test('the sandbox simulates each outcome, without charge and without a network', async () => {
    const before = await bench.credits();
    const posts = bench.network('x').capture.posts().length;
    for (const simulationScenario of ['published', 'failed', 'partially_published', 'unknown'] as const) {
      const body = { channels: ['bluesky', 'x'], caption: 'Try', publish: true, simulationScenario };
      const { id } = await bench.post(body, bench.testKey);
      await bench.drain();
      const { status, targets } = await bench.read(id, bench.testKey);
      assert.is(status, simulationScenario === 'unknown' ? 'failed' : simulationScenario);
      if (simulationScenario === 'unknown') assert.is(targets[0].status, 'unknown');
    }
    assert.equal([await bench.credits(), bench.network('x').capture.posts().length], [before, posts]);
  });

  test('erasing a person removes them from the errors of targets, and never makes a live post ready', async () => {
    const message = 'The network says: ada.byron@example.com may not post.';
    const failedPost = await put('failed', 'failed');
    const waiting = await put('pending_approval', 'published');
    await within(async ({ trx }) => {
      for (const row of await targetRows.findIn(trx, 'post_id', [failedPost]))
        await targetRows.update(trx, row.id, { error: { code: 'provider_rejected', message } });
      await postRows.update(trx, waiting, { brief: 'For ada.byron@example.com' });
    });
    await bench.service.personalData.erase(bench.workspaceId, { email: 'ada.byron@example.com' });
    await bench.drain();
    const [target] = (await bench.read(failedPost)).targets;
    assert.match(target.error.message, /^The network says: erased:/);
    const live = await bench.read(waiting);
    assert.equal([live.status, live.brief], ['pending_approval', 'For ada.byron@example.com']);
  });

  test('a repeated call with the same idempotency key creates one post', async () => {
    const send = () =>
      bench.request('/v1/social/posts', {
        body: { channels: ['bluesky'], caption: 'Once', publish: true },
        headers: { 'idempotency-key': 'launch-1' },
      });
    const [first, second] = [await send(), await send()];
    assert.equal([first.status, second.status, second.body], [201, 201, first.body]);
    await bench.drain();
    const visibleOn = bench
      .network('bluesky')
      .capture.posts()
      .filter(({ postId }) => postId === first.body.id);
    assert.is(visibleOn.length, 1);
  });
});

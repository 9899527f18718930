// time-limit: 240
// Creating, changing and listing posts: modes, fields, problems, holds, both sides, personal data.
// full-run: slow
import * as assert from 'uvu/assert';
import { twoDatabases } from '../support/databases.ts';
import { openPostsBench, type PostsBench } from '../support/social-posts-bench.ts';

const day = 86_400_000;
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

await twoDatabases('social posts', (test, database) => {
  let bench: PostsBench;
  let x: string;
  let bluesky: string;
  test.before(async () => {
    bench = await openPostsBench(database);
    x = await bench.connect('x');
    bluesky = await bench.connect('bluesky');
    await bench.connect('instagram');
  });
  test.after(() => bench.close());

  const at = (ms: number): string => new Date(bench.now() + ms).toISOString();
  const create = (body: object) => bench.call('', body);
  const expectRefusal = async (body: object, status: number, code: string) => {
    const answer = await create(body);
    assert.equal([answer.status, answer.body.error.code], [status, code], JSON.stringify(answer.body));
    return answer.body.error;
  };
  const invalid = async (body: object, path: string) => {
    const { details } = await expectRefusal(body, 422, 'validation_failed');
    assert.is(details[0].path, path, JSON.stringify(details));
  };
  const problemsOf = async (body: object): Promise<[string, string, string][]> => {
    const { problems, status } = await bench.post(body);
    assert.is(status, problems.length === 0 ? 'ready' : 'draft');
    return problems.map((problem: Record<string, string>) => [problem['channelId'], problem['path'], problem['code']]);
  };
  const image = async (): Promise<string> =>
    (await bench.request('/v1/assets', { body: { name: 'Pixel', dataBase64: pixel } })).body.assetId;

  test('create, read and event show the post in the same form', async () => {
    const body = {
      channels: ['bluesky', 'x'],
      caption: 'Hello',
      hashtags: ['#One', 'one', 'two'],
      linkUrl: 'https://example.com/a',
    };
    const post = await bench.post(body);
    assert.equal(
      [post.status, post.mode, post.planningKind, post.groupId, post.hashtags, post.sandbox],
      ['ready', 'copy', 'post', post.id, ['One', 'two'], false],
    );
    assert.match(post.id, /^soc_/);
    assert.equal(post.credits, { price: 4, charged: 0 });
    assert.equal(
      post.targets.map((target: Record<string, unknown>) => [
        target['channelId'],
        target['accountRef'],
        target['status'],
      ]),
      [
        ['bluesky', bluesky, 'pending'],
        ['x', x, 'pending'],
      ],
    );
    assert.equal(await bench.read(post.id), post);
    assert.equal((await bench.events('social.post.created')).at(-1), post);
    const { data } = (await bench.request('/v1/audit?action=social.post.create')).body;
    assert.equal(data[0].target, { kind: 'social_post', id: post.id });
    assert.not.match(JSON.stringify(data), /Hello/);
  });

  test('fields that do not belong to the mode of the post are refused', async () => {
    const base = { channels: ['bluesky'] };
    await invalid({ ...base, caption: 'a', brief: 'b' }, 'brief');
    await invalid({ ...base, caption: 'a', composer: 'opus' }, 'composer');
    await invalid({ ...base, caption: 'a', assigneeUid: 'u_ada' }, 'assigneeUid');
    await invalid({ ...base, mode: 'compose' }, 'brief');
    await invalid({ ...base, mode: 'compose', brief: 'b', caption: 'a' }, 'caption');
    await invalid({ ...base, mode: 'compose', brief: 'b', channelCaptions: { bluesky: 'a' } }, 'channelCaptions');
    await invalid({ ...base, mode: 'hold' }, 'scheduleAt');
    await invalid({ ...base, mode: 'hold', scheduleAt: at(day), publish: true }, 'publish');
    await invalid({ ...base, caption: 'a', publish: true, scheduleAt: at(day) }, 'scheduleAt');
  });

  test('invalid fields are refused', async () => {
    const base = { channels: ['bluesky'], caption: 'a' };
    await invalid({ ...base, channels: [] }, 'channels');
    await invalid({ ...base, channels: ['bluesky', 'bluesky'] }, 'channels.1');
    await invalid({ ...base, channels: ['blueski'] }, 'channels.0');
    await invalid({ ...base, caption: 'a'.repeat(63_207) }, 'caption');
    await invalid({ ...base, channelCaptions: { x: 'a' } }, 'channelCaptions.x');
    await invalid({ ...base, targetAccountRefs: { x } }, 'targetAccountRefs.x');
    await invalid({ ...base, threadTweets: Array.from({ length: 25 }, () => 'a') }, 'threadTweets');
    await invalid({ ...base, threadTweets: ['\u{1F600}'.repeat(281)] }, 'threadTweets.0');
    await invalid({ ...base, hashtags: ['two words'] }, 'hashtags.0');
    await invalid({ ...base, hashtags: Array.from({ length: 31 }, (_, index) => `t${index}`) }, 'hashtags');
    await invalid({ ...base, linkUrl: 'ftp://example.com' }, 'linkUrl');
    await invalid({ ...base, linkUrl: 'javascript:alert(1)' }, 'linkUrl');
    await invalid({ ...base, channelSettings: { reddit: { subreddit: 5 } } }, 'channelSettings.reddit.subreddit');
    await invalid({ ...base, mode: 'hold', scheduleAt: at(day), assigneeUid: 'u_nobody' }, 'assigneeUid');
    assert.is((await create({ ...base, channels: ['x'], threadTweets: ['\u{1F600}'.repeat(280)] })).status, 201);
    await expectRefusal({ ...base, simulationScenario: 'failed' }, 422, 'sandbox_only');
    for (const scheduleAt of [at(-1_000), at(365 * day + 1_000)])
      await expectRefusal({ ...base, scheduleAt }, 422, 'schedule_at_invalid');
  });

  test('attachments must be ready assets of the stated kind', async () => {
    const assetId = await image();
    const base = { channels: ['bluesky'], caption: 'a' };
    await invalid({ ...base, media: [{ kind: 'video', assetId }] }, 'media.0.kind');
    const upload = { name: 'Later', contentType: 'image/png', bytes: 100 };
    const waiting = (await bench.request('/v1/assets', { body: upload })).body;
    await expectRefusal({ ...base, media: [{ kind: 'image', assetId: waiting.assetId }] }, 422, 'asset_invalid');
    await expectRefusal(
      { ...base, media: [{ kind: 'image', assetId: 'asset_01ARZ3NDEKTSV4RRFFQ69G5FAV' }] },
      404,
      'asset_not_found',
    );
    const post = await bench.post({ ...base, media: [{ kind: 'image', assetId, alt: 'A dot' }] });
    assert.equal(post.media, [{ kind: 'image', assetId, alt: 'A dot' }]);
    const deletion = await bench.request(`/v1/assets/${assetId}`, { method: 'DELETE' });
    assert.equal([deletion.status, deletion.body.error.code], [409, 'asset_in_use']);
    await bench.call(`/${post.id}`, undefined, { method: 'DELETE' });
    assert.ok((await bench.request(`/v1/assets/${assetId}`, { method: 'DELETE' })).status < 300);
  });

  test('each problem has its code and its path', async () => {
    const media = [{ kind: 'image', assetId: await image() }];
    const five = Array.from({ length: 5 }, () => media[0]);
    assert.equal(await problemsOf({ channels: ['bluesky'] }), [['bluesky', 'caption', 'text_missing']]);
    assert.equal(await problemsOf({ channels: ['bluesky'], media }), []);
    assert.equal(await problemsOf({ channels: ['bluesky'], caption: 'a'.repeat(301) }), [
      ['bluesky', 'caption', 'text_too_long'],
    ]);
    assert.equal(
      await problemsOf({ channels: ['bluesky', 'x'], caption: 'a', channelCaptions: { x: 'a'.repeat(281) } }),
      [['x', 'channelCaptions.x', 'text_too_long']],
    );
    assert.equal(await problemsOf({ channels: ['x'], caption: 'a', threadTweets: ['b', '\u65e5'.repeat(150)] }), [
      ['x', 'threadTweets.1', 'text_too_long'],
    ]);
    assert.equal(await problemsOf({ channels: ['x'], caption: 'a'.repeat(270), hashtags: ['elevenchars'] }), [
      ['x', 'caption', 'text_too_long'],
    ]);
    assert.equal(await problemsOf({ channels: ['bluesky'], caption: 'a', threadTweets: ['b'] }), [
      ['bluesky', 'threadTweets', 'thread_without_x'],
    ]);
    assert.equal(await problemsOf({ channels: ['instagram'], caption: 'a' }), [
      ['instagram', 'media', 'media_missing'],
    ]);
    assert.equal(await problemsOf({ channels: ['bluesky'], caption: 'a', media: five }), [
      ['bluesky', 'media', 'media_too_many'],
    ]);
    assert.equal(await problemsOf({ channels: ['pinterest'], caption: 'a', media }), [
      ['pinterest', 'channelSettings.pinterest.boardId', 'setting_missing'],
      ['pinterest', 'targetAccountRefs.pinterest', 'account_missing'],
    ]);
  });

  test('a post with problems cannot be published or scheduled, and is not stored', async () => {
    const before = (await bench.call('?limit=100')).body.data.length;
    const { details } = await expectRefusal({ channels: ['bluesky'], publish: true }, 422, 'post_invalid');
    assert.equal([details[0].path, details[0].code], ['caption', 'text_missing']);
    await expectRefusal({ channels: ['bluesky'], scheduleAt: at(day) }, 422, 'post_invalid');
    assert.is((await bench.call('?limit=100')).body.data.length, before);
  });

  test('a draft or ready post can be changed, and is checked again after each change', async () => {
    const post = await bench.post({
      channels: ['x'],
      caption: 'One',
      threadTweets: ['two'],
      linkUrl: 'https://example.com/',
    });
    const patch = (body: object) => bench.call(`/${post.id}`, body, { method: 'PATCH' });
    const shorter = (await patch({ threadTweets: null, linkUrl: null })).body;
    assert.equal([shorter.threadTweets, shorter.linkUrl, shorter.credits.price], [[], null, 1]);
    const empty = (await patch({ caption: '' })).body;
    assert.equal([empty.status, empty.problems[0].code], ['draft', 'text_missing']);
    const changedPost = (await patch({ caption: 'Two', channels: ['bluesky'] })).body;
    assert.equal(
      [changedPost.status, changedPost.targets.length, changedPost.targets[0].channelId],
      ['ready', 1, 'bluesky'],
    );
    assert.equal((await patch({ plannedAt: at(day) })).body.error.details[0].path, 'plannedAt');
    assert.equal((await patch({ channels: ['nowhere'] })).body.error.details[0].path, 'channels.0');
    assert.is((await patch({ targetAccountRefs: { bluesky: x } })).body.error.code, 'account_not_found');
    assert.is((await patch({ mode: 'hold' })).status, 422);
  });

  test('removing a channel removes its text and its account', async () => {
    const post = await bench.post({
      channels: ['x', 'bluesky'],
      caption: 'a',
      channelCaptions: { x: 'b' },
      targetAccountRefs: { x },
    });
    const { body } = await bench.call(`/${post.id}`, { channels: ['bluesky'] }, { method: 'PATCH' });
    assert.equal([body.channelCaptions, body.targetAccountRefs], [{}, {}]);
  });

  test('a placeholder is free and in the plan until it has a text and no problem', async () => {
    const before = await bench.credits();
    const hold = await bench.post({
      mode: 'hold',
      channels: ['bluesky'],
      scheduleAt: at(day),
      assigneeUid: 'u_ada',
      brief: 'Ideas',
    });
    assert.equal(
      [hold.status, hold.planningKind, hold.scheduledAt, hold.assigneeUid, hold.brief],
      ['draft', 'hold', null, 'u_ada', 'Ideas'],
    );
    assert.is(hold.plannedAt, at(day));
    const patch = (body: object) => bench.call(`/${hold.id}`, body, { method: 'PATCH' });
    for (const plannedAt of [at(-day), at(366 * day)])
      assert.is((await patch({ plannedAt })).body.error.code, 'schedule_at_invalid', plannedAt);
    const long = (await patch({ caption: 'a'.repeat(301), plannedAt: at(2 * day) })).body;
    assert.equal([long.status, long.planningKind], ['draft', 'hold']);
    const changedPost = (await patch({ caption: 'Ready', assigneeUid: null, brief: null })).body;
    assert.equal([changedPost.status, changedPost.planningKind, changedPost.plannedAt], ['ready', 'post', at(2 * day)]);
    assert.equal([changedPost.assigneeUid, changedPost.brief], [null, null]);
    assert.is(await bench.credits(), before);
  });

  test('a placeholder needs no publish scope', async () => {
    const key = await bench.keyWith(['social:posts:write']);
    const body = { mode: 'hold', channels: ['bluesky'], caption: 'Soon', scheduleAt: at(day) };
    const answer = await bench.call('', body, { key });
    assert.equal([answer.status, answer.body.status], [201, 'draft']);
  });

  test('lists are newest first, filtered and paginated', async () => {
    const created = [];
    for (const caption of ['one', 'two', 'three'])
      created.push((await bench.post({ channels: ['instagram'], caption })).id);
    const ids = async (query: string) => (await bench.call(query)).body.data.map((post: { id: string }) => post.id);
    assert.equal(await ids('?channelId=instagram&limit=3'), created.toReversed());
    assert.equal(await ids(`?groupId=${created[1]}`), [created[1]]);
    const holds = (await bench.call('?planningKind=hold')).body.data;
    assert.ok(holds.length > 0 && holds.every((post: { planningKind: string }) => post.planningKind === 'hold'));
    const drafts = (await bench.call('?status=draft&channelId=instagram')).body.data;
    assert.ok(drafts.every((post: { status: string }) => post.status === 'draft'));
    const first = (await bench.call('?channelId=instagram&limit=2')).body;
    const second = await bench.call(`?channelId=instagram&limit=2&cursor=${first.next_cursor}`);
    assert.is(second.body.data[0].id, created[0]);
    assert.is((await bench.call('?cursor=nonsense')).body.error.code, 'cursor_invalid');
    await bench.call(`/${created[0]}`, undefined, { method: 'DELETE' });
    assert.not((await ids('?channelId=instagram&limit=100')).includes(created[0]));
    assert.ok((await ids('?status=deleted&limit=100')).includes(created[0]));
  });

  test('posts of a sandbox key belong to the sandbox side and are free', async () => {
    const post = await bench.post({ channels: ['x'], caption: 'Try' }, bench.testKey);
    assert.equal([post.sandbox, post.credits.price], [true, 0]);
    assert.is((await bench.call(`/${post.id}`)).status, 404);
    assert.equal(await bench.read(post.id, bench.testKey), post);
  });

  test('with several accounts on a channel the caller must choose one, and existing posts keep their account', async () => {
    const before = await bench.post({ channels: ['bluesky'], caption: 'Before' });
    const second = await bench.connect('bluesky', 'acme-jobs');
    const body = { channels: ['bluesky'], caption: 'a' };
    const { message } = await expectRefusal(body, 422, 'account_ambiguous');
    assert.match(message, second);
    const post = await bench.post({ ...body, targetAccountRefs: { bluesky: second } });
    assert.is(post.targets[0].accountRef, second);
    await expectRefusal({ ...body, targetAccountRefs: { bluesky: x } }, 404, 'account_not_found');
    const after = await bench.call(`/${before.id}`, { caption: 'After' }, { method: 'PATCH' });
    assert.is(after.body.targets[0].accountRef, bluesky);
  });

  test('erasing a person removes their address from texts that are not public', async () => {
    const mention = 'Write to Eva.Lund@example.com';
    const base = { channels: ['x'], targetAccountRefs: { x } };
    const draft = await bench.post({ ...base, caption: mention, threadTweets: ['eva.lund@example.com again'] });
    const live = await bench.post({ ...base, caption: mention, publish: true });
    await bench.drain();
    assert.equal(
      await bench.service.personalData
        .export(bench.workspaceId, { email: 'eva.lund@example.com' })
        .then((all) => JSON.stringify(all).includes('Write to')),
      false,
    );
    await bench.service.personalData.erase(bench.workspaceId, { email: 'eva.lund@example.com' });
    await bench.drain();
    const erasedPost = await bench.read(draft.id);
    assert.not.match(JSON.stringify(erasedPost), /eva\.lund@example/i);
    assert.match(erasedPost.caption, /^Write to /);
    assert.is((await bench.read(live.id)).caption, mention);
  });

  test('a dry run reports the price and the events, and stores nothing', async () => {
    const before = (await bench.call('?limit=100')).body.data;
    const { status, headers } = await bench.request('/v1/social/posts', {
      body: { channels: ['x'], targetAccountRefs: { x }, caption: 'Dry https://example.com', publish: true },
      headers: { 'dry-run': 'true' },
    });
    assert.equal([status, headers['Dry-Run-Credits'], headers['Dry-Run-Events']], [201, '4', 'social.post.created']);
    assert.equal((await bench.call('?limit=100')).body.data, before);
  });
});

// time-limit: 240
// Blog posts: creating, composing, slugs, pictures, authors, the working copy and the public version, deletion, approvals.
// full-run: slow
import * as assert from 'uvu/assert';
import type { Member } from '../../core/index.ts';
import type { TestService } from '../../hosts/testing/test-service.ts';
import { maxPosts } from '../../plugins/blog/schema.ts';
import { postRows } from '../../plugins/blog/tables.ts';
import { png } from '../support/asset-files.ts';
import { twoDatabases } from '../support/databases.ts';
import { withFilledPlaceholders, writePost } from '../support/fill-placeholders.ts';
import { noRateLimits } from '../support/mail-bench.ts';
import { migratedTestService } from '../support/migrated-tables.ts';
import { bareStandardPlugins } from '../support/plugins.ts';

const brief =
  'Write a blog post about keeping sourdough alive during a holiday. Feed the starter before you leave. It sleeps in the fridge for two weeks. Warm and plain tone.';

await twoDatabases('blog', (test, database) => {
  let bench: TestService<(typeof bareStandardPlugins)[number]['id']>;
  let members: Member[];
  let compose: ((embedded: () => unknown) => Promise<unknown>) | undefined;
  let calls = 0;
  test.before.each(async () => {
    members = [{ uid: 'u_ada', name: 'Ada Lovelace', email: 'ada@example.com', role: 'member' }];
    compose = undefined;
    bench = await migratedTestService(database, {
      plugins: bareStandardPlugins,
      publicUrl: 'https://app.bakery.example/hub',
      plans: { pro: { ...noRateLimits, monthlyCredits: 0 } },
      members: { list: async () => members },
      composer: { id: 'tested', compose: async (task) => (compose ?? (async (own) => own()))(task.embedded) },
    });
  });
  test.after.each(() => bench.close());

  const call = (path: string, method: string, body?: object, key = bench.liveKey, headers: object = {}) => {
    calls += 1;
    return bench.request(`/v1/blog/posts${path}`, {
      ...{ method, key, headers: { 'idempotency-key': `blog-${calls}`, ...headers } },
      ...(body === undefined ? {} : { body }),
    });
  };
  const create = async (body: object = {}, key?: string) =>
    (await call('', 'POST', { title: 'A starter', body: 'Feed *it*.', ...body }, key)).body;
  const patch = (id: string, body: object) => call(`/${id}`, 'PATCH', body);
  const publish = (id: string, key?: string) => call(`/${id}/publish`, 'POST', {}, key);
  const balance = async (): Promise<number> => (await bench.request('/v1/workspace')).body.usage.credits_balance;
  const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [
    status,
    body.error?.code,
  ];
  const faultOf = ({ body }: { body: { error: { details?: { path: string }[] } } }) => body.error.details?.[0]?.path;
  const asset = async (): Promise<string> => {
    calls += 1;
    const body = { name: 'Bread', alt: 'A loaf', dataBase64: png(4 + calls, 4).toString('base64') };
    return (await bench.request('/v1/assets', { body, headers: { 'idempotency-key': `a-${calls}` } })).body.assetId;
  };

  test('a post is stored as a draft, can be read by its id and its slug, and can be found by status and tag', async () => {
    const before = await balance();
    const { status, body: created } = await call('', 'POST', {
      ...{ title: ' A starter for holidays ', body: '# Hi', tags: ['bread', 'bread', 'jar'], authorUid: 'u_ada' },
      seo: { title: 'Holidays' },
    });
    assert.equal(
      [
        status,
        created.title,
        created.slug,
        created.status,
        created.draft,
        created.version,
        created.url,
        created.publishedAt,
      ],
      [201, 'A starter for holidays', 'a-starter-for-holidays', 'draft', true, 0, null, null],
    );
    assert.equal(
      [created.tags, created.seo, created.body],
      [['bread', 'jar'], { title: 'Holidays', description: null }, '# Hi'],
    );
    assert.is(await balance(), before, 'free');
    assert.is((await call('/a-starter-for-holidays', 'GET')).body.id, created.id);
    const ids = async (query: string) => (await call(query, 'GET')).body.data.map(({ id }: { id: string }) => id);
    await create();
    assert.equal(await ids('?tag=jar'), [created.id]);
    await patch(created.id, { tags: ['other'] });
    assert.equal([await ids('?tag=jar'), await ids('?tag=other')], [[], [created.id]]);
    assert.is((await ids('?status=draft')).length, 2);
    assert.is((await ids('?status=published')).length, 0);
    assert.is((await call('?limit=1', 'GET')).body.data[0].body, undefined, 'lists do not contain the text');
  });

  test('a title or a brief is required, and limits are enforced', async () => {
    for (const [body, path] of [
      [{}, 'title'],
      [{ brief, body: 'Text' }, 'body'],
      [{ title: 'x'.repeat(201) }, 'title'],
      [{ title: 'x', body: 'x'.repeat(100_001) }, 'body'],
      [{ title: 'x', body: `${'|a'.repeat(2_400)}|\n${'|-'.repeat(2_400)}|\n${'a\n'.repeat(5_000)}` }, 'body'],
      [{ title: 'x', tags: Array.from({ length: 21 }, (_, index) => `t${index}`) }, 'tags'],
      [{ title: 'x', authorUid: 'u_nobody' }, 'authorUid'],
      [{ title: 'x', slug: 'feed' }, 'slug'],
      [{ title: 'x', slug: 'a_b' }, 'slug'],
    ] as const) {
      const answer = await call('', 'POST', body);
      assert.equal(
        [...codeOf(answer), faultOf(answer)],
        [422, 'validation_failed', path],
        JSON.stringify(body).slice(0, 80),
      );
    }
  });

  test('a post composed from a brief costs 10 credits, contains the facts of the brief, and is the same if it is composed again', async () => {
    const before = await balance();
    const { status, body: created } = await call('', 'POST', { brief });
    assert.is(status, 201, JSON.stringify(created));
    assert.is(await balance(), before - 10);
    assert.is(withFilledPlaceholders(created.title), 'The title of the post');
    assert.match(withFilledPlaceholders(created.body), 'What happened, and why');
    assert.not.match(created.body, /tone|Write a blog post|fridge/);
    assert.equal(codeOf(await publish(created.id)), [409, 'placeholders_left']);
    await writePost(bench.service.as(bench.workspaceId), created.id);
    assert.is((await publish(created.id)).status, 200);
    assert.is((await call('', 'POST', { brief })).body.body, created.body);
    const dry = await call('', 'POST', { brief }, undefined, { 'dry-run': 'true' });
    assert.ok(dry.status < 300, JSON.stringify(dry.body));
    assert.is(await balance(), before - 20, 'a dry run costs nothing');
    const test = await call('', 'POST', { brief }, bench.testKey);
    assert.equal([test.status, test.body.sandbox, await balance()], [201, true, before - 20]);
  });

  test('a post that cannot be composed is neither stored nor charged', async () => {
    const before = await balance();
    compose = async () => ({ nothing: true });
    assert.equal(codeOf(await call('', 'POST', { brief })), [502, 'compose_failed']);
    assert.equal([(await call('', 'GET')).body.data.length, await balance()], [0, before]);
    await bench.service.workspaces.update(bench.workspaceId, { plan: 'pro' });
    compose = async () => {
      throw new Error('the composer must not be called without enough credits');
    };
    for (let credits = before; credits >= 10; credits -= 10) {
      compose = undefined;
      await call('', 'POST', { brief });
    }
    assert.equal(codeOf(await call('', 'POST', { brief })), [402, 'credits_exhausted']);
  });

  test('a slug is unique and gets a number if it is taken, and an old slug of a published post redirects to the new one', async () => {
    assert.equal([(await create()).slug, (await create()).slug], ['a-starter', 'a-starter-2']);
    assert.equal(codeOf(await call('', 'POST', { title: 'x', slug: 'a-starter' })), [409, 'slug_taken']);
    assert.is((await create({}, bench.testKey)).slug, 'a-starter', 'each side has its own slugs');
    assert.is((await publish('a-starter')).status, 200);
    await patch('a-starter', { slug: 'moved' });
    assert.equal(
      codeOf(await call('', 'POST', { title: 'x', slug: 'a-starter' })),
      [409, 'slug_taken'],
      'the slug is still public',
    );
    await publish('moved');
    const get = (path: string) =>
      bench.service.fetch(new Request(`https://app.bakery.example/p/${bench.workspaceId}${path}`));
    const old = await get('/blog/a-starter');
    assert.is(old.status, 301);
    assert.match(old.headers.get('location') ?? '', /\/blog\/moved$/);
  });

  test('publish makes the working copy public, later edits wait for the next publish, and only a change raises the version', async () => {
    const { id } = await create({ authorUid: 'u_ada' });
    const first = await publish(id);
    assert.equal([first.status, first.body.status, first.body.version, first.body.draft], [200, 'published', 1, false]);
    assert.match(first.body.url, /\/blog\/a-starter$/);
    assert.is((await publish(id)).body.version, 1);
    const edit = await patch(id, { body: 'New' });
    assert.equal([edit.body.draft, edit.body.version], [true, 1]);
    bench.advanceClock(86_400_000);
    const second = (await publish(id)).body;
    assert.equal(
      [second.version, second.publishedAt],
      [2, first.body.publishedAt],
      'the first day of publication does not change',
    );
    const offline = await call(`/${id}/unpublish`, 'POST', {});
    assert.equal([offline.status, offline.body.status, offline.body.url], [200, 'unpublished', null]);
    assert.is((await call(`/${id}/unpublish`, 'POST', {})).status, 200);
    const types = (await bench.events('blog_post.published')).length;
    assert.equal([types, (await bench.events('blog_post.unpublished')).length], [2, 1]);
    const { id: draft } = await create();
    assert.equal(codeOf(await call(`/${draft}/unpublish`, 'POST', {})), [409, 'state_conflict']);
    const { id: empty } = await create({ body: '' });
    assert.equal(codeOf(await publish(empty)), [409, 'state_conflict']);
  });

  test('pictures must be assets of the workspace, and cannot be deleted while they are public', async () => {
    const [cover, inside] = [await asset(), await asset()];
    const missing = 'asset_01ARZ3NDEKTSV4RRFFQ69G5FAV';
    assert.equal(codeOf(await call('', 'POST', { title: 'x', coverAssetId: missing })), [404, 'asset_not_found']);
    assert.equal(codeOf(await call('', 'POST', { title: 'x', body: `![x](asset:${missing})` })), [
      404,
      'asset_not_found',
    ]);
    const { id } = await create({ coverAssetId: cover, body: `Bread\n\n![A loaf](asset:${inside} "Ours")` });
    const remove = (assetId: string) => bench.request(`/v1/assets/${assetId}`, { method: 'DELETE' });
    await publish(id);
    assert.equal(codeOf(await remove(cover)), [409, 'asset_in_use']);
    assert.equal(codeOf(await remove(inside)), [409, 'asset_in_use']);
    await call(`/${id}/unpublish`, 'POST', {});
    assert.is((await remove(inside)).status, 200);
    assert.equal(codeOf(await publish(id)), [404, 'asset_not_found']);
  });

  test('deleting a published post needs pages:publish and emits blog_post.unpublished', async () => {
    const { id } = await create();
    await publish(id);
    const { secret } = await bench.service.keys.create({
      ...{ workspaceId: bench.workspaceId, name: 'writer', scopes: ['pages:write'] },
    });
    assert.equal(codeOf(await call(`/${id}`, 'DELETE', undefined, secret)), [403, 'insufficient_scope']);
    assert.equal((await call(`/${id}`, 'DELETE')).body, { id, deleted: true });
    assert.is((await bench.events('blog_post.unpublished')).length, 1);
    assert.equal(codeOf(await call(`/${id}`, 'DELETE')), [404, 'blog_post_not_found']);
    const { id: draft } = await create();
    assert.is((await call(`/${draft}`, 'DELETE', undefined, secret)).status, 200);
  });

  test('a policy holds a publish, and a change withdraws the request', async () => {
    members.push({ uid: 'u_bea', name: 'Bea', email: 'bea@example.com', role: 'member' });
    const policy = { surfaceKind: 'blog_post', required: true };
    const keyOf = async (uid: string) =>
      (await bench.service.keys.create({ workspaceId: bench.workspaceId, name: uid, preset: 'full', members: [uid] }))
        .secret;
    const ada = await keyOf('u_ada');
    const put = await bench.request('/v1/approvals/policies/blog_post', { method: 'PUT', body: { required: true } });
    assert.is(put.status, 200, JSON.stringify([policy, put.body]));
    const { id } = await create();
    const heldAnswer = await publish(id, ada);
    assert.equal(
      [heldAnswer.status, heldAnswer.body.status, heldAnswer.body.approval.status],
      [202, 'draft', 'pending'],
    );
    await patch(id, { tags: ['new'] });
    assert.is((await call(`/${id}`, 'GET')).body.approval, null);
  });

  test('for other plugins, the service makes drafts and returns the posts of a period', async () => {
    const { blog } = bench.service.core.services;
    const { id } = await create();
    const published = (await publish(id)).body;
    const at = Date.parse(published.publishedAt);
    const storage = await bench.service.core.database();
    const between = (from: number, until: number) =>
      storage.read(bench.workspaceId, async (handle) =>
        (
          await blog.publishedBetween((handle as never as { onSide(side: boolean): never }).onSide(false), {
            from,
            until,
            limit: 9,
          })
        ).map((post) => post.id),
      );
    assert.equal([await between(at, at + 1), await between(at + 1, at + 9)], [[id], []]);
    assert.is(typeof postRows.count, 'function');
    assert.is(maxPosts, 5_000, 'one more post is refused with limit_reached');
  });
});

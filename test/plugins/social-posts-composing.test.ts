// time-limit: 120
// Composed posts: one text for each channel, retries, errors, prices, models, the brand.
// full-run: slow
import * as assert from 'uvu/assert';
import { isPostriderError, type PrepareContext } from '../../core/index.ts';
import { inWorkspace } from '../../core/unstable.ts';
import { composeTexts } from '../../plugins/social/compose/compose.ts';
import { noContent } from '../../plugins/social/content/merge.ts';
import type { ComposerAdapter, ComposeTask } from '../../plugins/templates/port/index.ts';
import { oneDatabase } from '../support/databases.ts';
import { withFilledPlaceholders } from '../support/fill-placeholders.ts';
import { openPostsBench, type PostsBench } from '../support/social-posts-bench.ts';
import { threadRules } from '../support/social-rules.ts';

/** Returns or throws the scripted answers one after the other, and then the answers of the embedded composer. */
class ScriptedComposer implements ComposerAdapter {
  readonly id = 'scripted';
  readonly models = ['opus'];
  readonly tasks: ComposeTask[] = [];
  readonly answers: unknown[] = [];

  async compose(task: ComposeTask): Promise<unknown> {
    this.tasks.push(task);
    if (this.answers.length === 0) return task.embedded();
    const answer = this.answers.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  }
}

const brief = 'Acme 2.0 is here. The editor is faster. It works offline, too. Tell people to try it.';

await oneDatabase('composing social posts', (test, database) => {
  const composer = new ScriptedComposer();
  let bench: PostsBench;
  test.before(async () => {
    bench = await openPostsBench(database, { composer });
    await bench.connect('x');
    await bench.connect('bluesky');
  });
  test.after(() => bench.close());
  test.before.each(() => {
    composer.tasks.length = 0;
    composer.answers.length = 0;
  });

  const compose = (body: object = {}) =>
    bench.call('', { mode: 'compose', channels: ['x', 'bluesky'], brief, ...body });
  const texts = (x: string, bluesky = 'For Bluesky') => ({ captions: { x, bluesky } });

  test('a brief becomes one text for each channel, for 2 credits each', async () => {
    const before = await bench.credits();
    composer.answers.push(texts('For X'));
    const { status, body } = await compose({ hashtags: ['launch'] });
    assert.equal([status, body.status, body.mode, body.brief], [201, 'ready', 'compose', brief]);
    assert.equal(body.channelCaptions, { x: 'For X', bluesky: 'For Bluesky' });
    assert.is(before - (await bench.credits()), 4);
    const [task] = composer.tasks;
    assert.is(task?.kind, 'social_post');
    assert.match(task?.instructions ?? '', /280/);
    assert.match(task?.instructions ?? '', /#launch/);
    assert.not.match(task?.instructions ?? '', /offline/);
  });

  test('the instructions of the composer leave room for a link that becomes part of the text', async () => {
    composer.answers.push(texts('For X'));
    await compose({ linkUrl: 'https://example.com/launch' });
    const lines = composer.tasks[0]?.instructions.split('\n') ?? [];
    const lineOf = (id: string): string => lines.find((line) => line.startsWith(`- ${id} (`)) ?? '';
    assert.match(lineOf('x'), /leave room for it: https:\/\/example\.com\/launch$/);
    // Bluesky shows the link as a card below the text.
    assert.not.match(lineOf('bluesky'), /example\.com/);
  });

  test('without a model the post stays a draft until it gets its own text, and nothing is published', async () => {
    const withoutModel = await openPostsBench(database);
    try {
      for (const channelId of ['x', 'bluesky']) await withoutModel.connect(channelId);
      const body = { mode: 'compose', channels: ['x', 'bluesky'], brief };
      const codes = (of: { problems: { code: string }[] }) => of.problems.map(({ code }) => code);
      const before = await withoutModel.credits();
      const posts = async (): Promise<unknown[]> => (await withoutModel.call('?limit=100')).body.data;
      for (const headers of [{}, { 'dry-run': 'true' }])
        for (const delivery of [
          { publish: true },
          { scheduleAt: new Date(withoutModel.now() + 86_400_000).toISOString() },
        ]) {
          const refusal = await withoutModel.request('/v1/social/posts', { body: { ...body, ...delivery }, headers });
          assert.equal([refusal.status, refusal.body.error.code], [409, 'placeholders_left']);
          assert.match(refusal.body.error.message, 'Your message, in one or two sentences');
        }
      assert.equal([await posts(), await withoutModel.credits()], [[], before]);
      const dry = await withoutModel.request('/v1/social/posts', { body, headers: { 'dry-run': 'true' } });
      assert.equal([dry.body.status, codes(dry.body)], ['draft', ['placeholders_left', 'placeholders_left']]);

      const draft = await withoutModel.call('', body);
      assert.equal(
        [draft.status, draft.body.status, codes(draft.body)],
        [201, 'draft', ['placeholders_left', 'placeholders_left']],
      );
      assert.is(withFilledPlaceholders(draft.body.caption), 'Your message, in one or two sentences');
      const path = `/${draft.body.id}`;
      assert.is((await withoutModel.call(`${path}/publish`, {})).body.error.code, 'placeholders_left');
      const patch = (change: object) => withoutModel.call(path, change, { method: 'PATCH' });
      assert.equal(codes((await patch({ channelCaptions: { x: 'Acme 2.0' } })).body), ['placeholders_left']);
      assert.equal((await patch({ caption: 'Acme 2.0 is out' })).body.status, 'ready');
    } finally {
      await withoutModel.close();
    }
  });

  test('the embedded composer uses as many facts of the brief as fit, and gives the same text each time', async () => {
    const long = `https://example.com/${'a'.repeat(280)}`;
    const order = { brief: `${brief} “Acme 2.0” costs €20 from 3 May 2027. See ${long}`, hashtags: ['launch'] };
    const { body } = await compose(order);
    assert.is(body.status, 'draft');
    const facts = 'Your message, in one or two sentences\nAcme 2.0\n3 May 2027 · €20';
    assert.is(withFilledPlaceholders(body.channelCaptions.bluesky), facts);
    assert.is(withFilledPlaceholders(body.channelCaptions.x), `${facts}\n${long}`, 'X counts a link as 23 characters');
    const second = await compose(order);
    assert.equal(second.body.channelCaptions, body.channelCaptions);
  });

  test('an invalid answer of the composer is refused and requested again', async () => {
    composer.answers.push({ captions: { x: 'a' } }, { ...texts('a'), to: 'eve@example.com' }, texts('Right'));
    const { status, body } = await compose();
    assert.equal([status, body.caption, composer.tasks.length], [201, 'Right', 3]);
    assert.match(composer.tasks[1]?.prompt ?? '', /refused/);
  });

  test('a text that stays too long is stored as a draft, and is not published', async () => {
    const long = texts('a'.repeat(300));
    composer.answers.push(long, long, long);
    const { status, body } = await compose({ publish: true });
    assert.equal([status, body.status, body.problems[0].code], [201, 'draft', 'text_too_long']);
    assert.is(composer.tasks.length, 3);
  });

  test('a composed post is published', async () => {
    composer.answers.push(texts('For X'));
    const { body } = await compose({ publish: true });
    assert.is(body.status, 'publishing');
    await bench.drain();
    assert.is((await bench.read(body.id)).status, 'published');
  });

  test('after three failures the call fails with compose_failed, and nothing is stored or charged', async () => {
    const before = [await bench.credits(), (await bench.call('?limit=100')).body.data.length];
    composer.answers.push(new Error('down'), {}, new Error('down'));
    const { status, body } = await compose();
    assert.equal([status, body.error.code], [502, 'compose_failed']);
    assert.equal([await bench.credits(), (await bench.call('?limit=100')).body.data.length], before);
  });

  test('everything that can be checked without a text is checked before composing', async () => {
    const answers = [
      await compose({ channels: ['nowhere'] }),
      await compose({ targetAccountRefs: { x: 'soa_01ARZ3NDEKTSV4RRFFQ69G5FAV' } }),
      await compose({ scheduleAt: '2020-01-01T00:00:00Z' }),
      await compose({ composer: 'sonnet' }),
      await bench.call(
        '',
        { mode: 'compose', channels: ['x'], brief, publish: true },
        {
          key: await bench.keyWith(['social:posts:write']),
        },
      ),
    ];
    assert.equal(
      answers.map(({ body }) => body.error.code),
      ['validation_failed', 'account_not_found', 'schedule_at_invalid', 'validation_failed', 'insufficient_scope'],
    );
    assert.is(composer.tasks.length, 0);
    assert.is((await compose({ composer: 'opus' })).status, 201);
    assert.is(composer.tasks[0]?.model, 'opus');
  });

  test('a dry run does not call the composer', async () => {
    const { status, body, headers } = await bench.request('/v1/social/posts', {
      body: { mode: 'compose', channels: ['x', 'bluesky'], brief },
      headers: { 'dry-run': 'true' },
    });
    assert.equal([status, body.caption, headers['Dry-Run-Credits']], [201, '', '4']);
    const dryRun = await bench.request('/v1/social/posts', {
      body: { mode: 'compose', channels: ['x', 'bluesky'], brief, linkUrl: 'https://acme.com/2', publish: true },
      headers: { 'dry-run': 'true' },
    });
    assert.equal(
      [dryRun.body.status, dryRun.body.problems, dryRun.headers['Dry-Run-Credits']],
      ['publishing', [], '8'],
    );
    assert.is(composer.tasks.length, 0);
  });

  test('a repeated call with the same idempotency key is composed once', async () => {
    const send = () =>
      bench.request('/v1/social/posts', {
        body: { mode: 'compose', channels: ['x'], brief },
        headers: { 'idempotency-key': 'compose-1' },
      });
    const [first, second] = [await send(), await send()];
    assert.equal(second.body, first.body);
    assert.is(composer.tasks.length, 1);
  });

  test('if the composer does not answer in time, the call fails with provider_timeout', async () => {
    const silent: ComposerAdapter = { id: 'silent', compose: () => new Promise(() => undefined) };
    const { services } = bench.service.core;
    const log = { warn: () => undefined };
    const ports = { composer: { of: async () => silent } };
    const ctx = {
      services,
      ports,
      workspace: { id: bench.workspaceId },
      log,
      requestId: 'req_1',
      signal: new AbortController().signal,
    } as unknown as PrepareContext;
    const setting = { product: 'Acme', voice: undefined, rules: [threadRules], content: noContent };
    // The timer of the limit does not keep the process alive.
    const alive = setInterval(() => undefined, 1_000);
    try {
      await composeTexts(ctx, setting, { brief, model: undefined, withinMs: 20 });
      assert.unreachable();
    } catch (error) {
      assert.ok(isPostriderError(error, 'provider_timeout'), String(error));
    } finally {
      clearInterval(alive);
    }
  });

  test('without enough credits the composer is not called', async () => {
    const credits = await bench.credits();
    const workspace = await bench.service.workspaces.read(bench.workspaceId);
    await inWorkspace(bench.service.core, workspace, ({ charge }) => charge(credits - 3, 'the rest'));
    const { status, body } = await compose();
    assert.equal([status, body.error.code, composer.tasks.length], [402, 'credits_exhausted', 0]);
  });

  test('without enough credits for publishing, the composer is not called, unless a policy would hold the post', async () => {
    const workspace = await bench.service.workspaces.read(bench.workspaceId);
    await bench.service.workspaces.update(bench.workspaceId, { grantCredits: 100 });
    const credits = await bench.credits();
    // Composing costs 4 credits, a tweet 1, and a tweet with a URL 4.
    await inWorkspace(bench.service.core, workspace, ({ charge }) => charge(credits - 7, 'the rest'));
    const link = { publish: true, linkUrl: 'https://example.com/launch' };
    const { status, body } = await compose(link);
    assert.equal([status, body.error.code, composer.tasks.length], [402, 'credits_exhausted', 0]);
    await bench.service.as(bench.workspaceId).approvals.policySet({ surfaceKind: 'social_post', required: true });
    composer.answers.push(texts('For X'));
    assert.equal([(await compose(link)).status, composer.tasks.length], [202, 1]);
    assert.is(await bench.credits(), 3);
  });
});

// time-limit: 300
// Product events that become social posts: captions, outcomes, dedupe keys, and runs that follow their posts.
// full-run: slow
import * as assert from 'uvu/assert';
import type { TransactionContext } from '../../core/index.ts';
import { inWorkspace } from '../../core/unstable.ts';
import { kit } from '../../plugins/social-events/kit/kit.ts';
import { keyRows, runRows, variableRows } from '../../plugins/social-events/tables.ts';
import { twoDatabases } from '../support/databases.ts';
import { noRateLimits } from '../support/mail-bench.ts';
import { openPostsBench, type PostsBench } from '../support/social-posts-bench.ts';

const day = 86_400_000;
const path = '/v1/social/transactional';
const variables = { product: 'Acme Studio', version: '4.2', summary: 'Boards load in under a second.' };
const release = { eventKey: 'release_published', variables };

await twoDatabases('social events', (test, database) => {
  let bench: PostsBench;
  test.before.each(async () => {
    bench = await openPostsBench(database, { plans: { pro: noRateLimits } });
    for (const channelId of ['x', 'bluesky', 'instagram']) await bench.connect(channelId);
  });
  test.after.each(() => bench.close());

  const at = (ms: number): string => new Date(bench.now() + ms).toISOString();
  const trigger = (body: object = {}, key = bench.liveKey) =>
    bench.request(`${path}/events`, { key, body: { ...release, ...body } });
  const preview = (body: object = {}) => bench.request(`${path}/preview`, { body: { ...release, ...body } });
  const list = async (query = '', key = bench.liveKey) =>
    (await bench.request(`${path}/events${query}`, { key })).body.data as { runId: string; status: string }[];
  const statusOf = async (runId: string) => (await list()).find((run) => run.runId === runId)?.status;
  const createRun = async (body: object = {}, key = bench.liveKey) => {
    const answer = await trigger(body, key);
    assert.is(answer.status, 201, JSON.stringify(answer.body));
    return answer.body;
  };
  const expectRefusal = async (code: string, body: object, key = bench.liveKey) => {
    const answer = await trigger(body, key);
    assert.is(answer.body.error?.code, code, JSON.stringify(answer.body));
    return answer;
  };
  const within = async <T>(work: (ctx: TransactionContext) => Promise<T>): Promise<T> =>
    inWorkspace(bench.service.core, await bench.service.workspaces.read(bench.workspaceId), work);
  const counts = async () => ({ runs: (await list()).length, posts: (await bench.call('')).body.data.length });

  test('the kit lists its events with their contracts, and the templates of each channel', async () => {
    const { data, next_cursor: cursor } = (await bench.request(`${path}/catalog`)).body;
    assert.is(cursor, null);
    assert.equal(
      data.map(({ eventKey }: { eventKey: string }) => eventKey),
      kit.map(({ eventKey }) => eventKey),
    );
    assert.is(data.length, 14);
    const event = data.find(({ eventKey }: { eventKey: string }) => eventKey === 'release_published');
    assert.equal([event.channels, event.defaultOutcome], [['x', 'bluesky'], 'draft']);
    assert.equal(event.variables.required, ['product', 'version', 'summary']);
    const templates = (await bench.request(`${path}/templates?eventKey=release_published`)).body.data;
    assert.equal(
      templates.map(({ templateId, wording }: Record<string, string>) => [templateId, wording]),
      ['x', 'pinterest', 'bluesky', 'instagram'].map((channelId) => [`release_published.${channelId}`, 'kit']),
    );
    const [x, , , instagram] = templates;
    assert.match(x.caption, '{{ version }}');
    assert.not.equal(instagram.caption, x.caption);
  });

  test('a preview shows the plain text for each channel, without escaping, and stores nothing', async () => {
    const { status, body } = await preview({ variables: { ...variables, product: 'R&D <Studio>' } });
    assert.is(status, 200);
    const [x] = body.captions;
    assert.is(x.text, 'R&D <Studio> 4.2 is out. Boards load in under a second.\n\n#ProductUpdate');
    assert.equal([x.channelId, x.length, x.limit, x.problems], ['x', x.text.length, 280, []]);
    assert.equal(
      body.captions.map(({ channelId }: { channelId: string }) => channelId),
      ['x', 'bluesky'],
    );
    assert.equal(await counts(), { runs: 0, posts: 0 });
  });

  test('variables are checked against the contract of their event', async () => {
    const missing = await preview({ variables: { product: 'Acme' } });
    assert.equal([missing.status, missing.body.error.code], [422, 'variables_invalid']);
    assert.match(JSON.stringify(missing.body.error.details), 'variables.version');
    const unknown = await trigger({ variables: { ...variables, sumary: 'Typo' } });
    assert.is(unknown.body.error.details[0].path, 'variables.sumary');
    const event = await trigger({ eventKey: 'release_publised' });
    assert.equal([event.status, event.body.error.code], [404, 'social_event_not_found']);
    assert.match(event.body.error.message, 'release_published');
    const channel = await trigger({ channels: ['myspace'] });
    assert.equal([channel.status, channel.body.error.details[0].path], [422, 'channels.0']);
    const setting = await trigger({ channelSettings: { reddit: { subredit: 'x' } } });
    assert.equal([setting.status, setting.body.error.code], [422, 'validation_failed']);
  });

  test("a draft is created from the captions, for the kit's channels that have an account", async () => {
    const run = await createRun({ linkUrl: 'https://acme.com/4.2' });
    assert.match(run.runId, /^sev_/);
    assert.equal(
      [run.outcome, run.status, run.deduplicated, run.dedupeKey, run.sandbox],
      ['draft', 'drafted', false, null, false],
    );
    const post = await bench.read(run.postId);
    assert.equal([post.status, post.groupId, post.channels], ['ready', run.runId, ['x', 'bluesky']]);
    assert.is(post.linkUrl, 'https://acme.com/4.2');
    const [x, bluesky] = run.captions;
    assert.is(x.text, `${post.caption}\n\nhttps://acme.com/4.2`);
    assert.is(bluesky.text, post.caption);
    const { data } = (await bench.call(`?groupId=${run.runId}`)).body;
    assert.is(data.length, 1);
    const [event] = await bench.events('social.post.created');
    assert.is(event?.groupId, run.runId);
  });

  test('channels have their own captions, and missing media is a problem of the draft', async () => {
    const run = await createRun({ channels: ['x', 'instagram'] });
    const post = await bench.read(run.postId);
    assert.is(post.status, 'draft');
    const [x, instagram] = run.captions;
    assert.equal([x.text, instagram.text], [post.caption, post.channelCaptions.instagram]);
    assert.equal(
      instagram.problems.map(({ code }: { code: string }) => code),
      ['media_missing'],
    );
    assert.equal(x.problems, []);
    await expectRefusal('post_invalid', { channels: ['x', 'instagram'], outcome: 'publish', dedupeKey: 'again' });
    assert.is((await createRun({ dedupeKey: 'again' })).deduplicated, false);
  });

  test('if no channel of the kit has an account, the caller must name the channels', async () => {
    const foreign = await bench.service.keys.create({
      workspaceId: bench.foreignWorkspaceId,
      name: 'other',
      preset: 'full',
    });
    await expectRefusal('account_missing', {}, foreign.secret);
    const run = await createRun({ channels: ['bluesky'] }, foreign.secret);
    assert.equal(
      run.captions[0].problems.map(({ code }: { code: string }) => code),
      ['account_missing'],
    );
  });

  test('an account of another workspace is unknown, and with two accounts the caller must choose one', async () => {
    const foreignAccount = await bench.connect('bluesky', 'theirs', bench.foreignWorkspaceId);
    const channels = ['bluesky'];
    await expectRefusal('account_not_found', { channels, targetAccountRefs: { bluesky: foreignAccount } });
    const second = await bench.connect('bluesky', 'second');
    await expectRefusal('account_ambiguous', { channels });
    const run = await createRun({ channels, targetAccountRefs: { bluesky: second } });
    assert.is((await bench.read(run.postId)).targets[0].accountRef, second);
  });

  test('the outcome preview stores the captions and creates no post', async () => {
    const run = await createRun({ outcome: 'preview' });
    assert.equal([run.status, run.postId], ['previewed', null]);
    assert.equal(await counts(), { runs: 1, posts: 0 });
    for (const result of ['preview', 'draft'])
      assert.is((await expectRefusal('validation_failed', { outcome: result, scheduleAt: at(day) })).status, 422);
  });

  test('a published run follows the status of its post', async () => {
    const before = await bench.credits();
    const run = await createRun({ outcome: 'publish', linkUrl: 'https://acme.com' });
    assert.is(run.status, 'publishing');
    assert.is(before - (await bench.credits()), 4);
    await bench.drain();
    assert.is(await statusOf(run.runId), 'published');
    assert.is((await bench.events('social.post.published'))[0]?.groupId, run.runId);
  });

  test('a scheduled run follows its post, even if the post is unscheduled, deleted or removed', async () => {
    const scheduleAt = at(day);
    const run = await createRun({ outcome: 'publish', scheduleAt });
    assert.equal([run.status, (await bench.read(run.postId)).scheduledAt], ['scheduled', scheduleAt]);
    await bench.call(`/${run.postId}/schedule`, { scheduledAt: null });
    assert.is(await statusOf(run.runId), 'drafted');
    await bench.call(`/${run.postId}`, undefined, { method: 'DELETE' });
    assert.is(await statusOf(run.runId), 'deleted');
    assert.is((await list('?status=deleted')).length, 1);
    bench.advanceClock(40 * day);
    await bench.drain();
    assert.is((await bench.call(`/${run.postId}`)).status, 404);
    assert.is(await statusOf(run.runId), 'deleted');
    assert.is((await list('?status=deleted')).length, 1);
    await expectRefusal('schedule_at_invalid', { outcome: 'publish', scheduleAt: at(-day) });
  });

  test('runs are filtered by event and by the status of their post', async () => {
    const draftRun = await createRun();
    const previewRun = await createRun({
      outcome: 'preview',
      eventKey: 'back_in_stock',
      variables: { product: 'Stool' },
    });
    const scheduledRun = await createRun({ outcome: 'publish', scheduleAt: at(day) });
    const ids = async (query: string) => (await list(query)).map(({ runId }) => runId);
    assert.equal(await ids(''), [scheduledRun.runId, previewRun.runId, draftRun.runId]);
    assert.equal(await ids('?status=drafted'), [draftRun.runId]);
    assert.equal(await ids('?status=previewed'), [previewRun.runId]);
    assert.equal(await ids('?status=scheduled'), [scheduledRun.runId]);
    assert.equal(await ids('?status=deleted'), []);
    assert.equal(await ids('?eventKey=back_in_stock'), [previewRun.runId]);
  });

  test('publishing needs the scope, the plan and the credits; if one is missing, nothing is stored', async () => {
    const key = await bench.keyWith(['social:posts:write']);
    await expectRefusal('insufficient_scope', { outcome: 'publish' }, key);
    assert.is((await trigger({ outcome: 'draft' }, key)).status, 201);
    const before = await counts();
    const credits = await bench.credits();
    await within(async ({ charge }) => charge(credits, 'the rest'));
    await expectRefusal('credits_exhausted', { outcome: 'publish' });
    await bench.service.workspaces.update(bench.workspaceId, { plan: 'hobby' });
    await expectRefusal('plan_required', { outcome: 'publish' });
    assert.equal(await counts(), before);
  });

  test('a dedupeKey creates one run, even if the second call has other contents', async () => {
    const first = await createRun({ dedupeKey: 'release 4.2' });
    const second = await createRun({
      dedupeKey: 'release 4.2',
      eventKey: 'never_heard_of',
      variables: {},
      outcome: 'publish',
    });
    assert.equal(second, { ...first, deduplicated: true });
    assert.equal(await counts(), { runs: 1, posts: 1 });
    await bench.call(`/${first.postId}`, undefined, { method: 'DELETE' });
    assert.is((await createRun({ dedupeKey: 'release 4.2' })).status, 'deleted');
    bench.advanceClock(30 * day - 60_000);
    assert.is((await createRun({ dedupeKey: 'release 4.2' })).runId, first.runId);
    bench.advanceClock(60_000);
    const laterRun = await createRun({ dedupeKey: 'release 4.2' });
    assert.is(laterRun.deduplicated, false);
    assert.not.equal(laterRun.runId, first.runId);
  });

  test('a preview does not reserve its dedupeKey, and returns an existing run with this key', async () => {
    const first = await createRun({ dedupeKey: 'looked at', outcome: 'preview' });
    assert.equal([first.status, first.deduplicated, first.dedupeKey], ['previewed', false, null]);
    const firstRun = await createRun({ dedupeKey: 'looked at' });
    assert.equal([firstRun.status, firstRun.deduplicated, firstRun.dedupeKey], ['drafted', false, 'looked at']);
    const second = await createRun({ dedupeKey: 'looked at', outcome: 'preview' });
    assert.equal([second.runId, second.deduplicated], [firstRun.runId, true]);
  });

  test('of simultaneous calls with one dedupeKey, one creates the run', async () => {
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => trigger({ dedupeKey: 'at once', outcome: 'publish' })),
    );
    assert.equal(
      answers.map(({ status }) => status),
      answers.map(() => 201),
      JSON.stringify(answers.map(({ body }) => body)),
    );
    assert.is(new Set(answers.map(({ body }) => body.runId)).size, 1);
    assert.is(answers.filter(({ body }) => !body.deduplicated).length, 1);
    assert.equal(await counts(), { runs: 1, posts: 1 });
    await bench.drain();
    assert.is(bench.network('bluesky').capture.posts().length, 1);
  });

  test('the sandbox has its own runs and dedupe keys, and its simulated posts are free', async () => {
    const before = await bench.credits();
    const live = await createRun({ dedupeKey: 'both' });
    const sandboxRun = await createRun(
      { dedupeKey: 'both', outcome: 'publish', simulationScenario: 'partially_published' },
      bench.testKey,
    );
    assert.equal([sandboxRun.deduplicated, sandboxRun.sandbox], [false, true]);
    await bench.drain();
    const [run] = await list('', bench.testKey);
    assert.equal([run?.runId, run?.status], [sandboxRun.runId, 'partially_published']);
    assert.equal(
      (await list()).map(({ runId }) => runId),
      [live.runId],
    );
    assert.is(await bench.credits(), before);
    await expectRefusal('sandbox_only', { simulationScenario: 'failed' });
  });

  test('a dry run reports the result and stores nothing, not even its dedupeKey', async () => {
    const answer = await bench.request(`${path}/events`, {
      body: { ...release, outcome: 'publish', dedupeKey: 'tried' },
      headers: { 'dry-run': 'true' },
    });
    assert.ok(answer.status < 300, JSON.stringify(answer.body));
    assert.equal(await counts(), { runs: 0, posts: 0 });
    assert.is((await createRun({ dedupeKey: 'tried' })).deduplicated, false);
  });

  test('variables and dedupe keys are kept for 30 days, runs for 400 days', async () => {
    const { runId } = await createRun({ dedupeKey: 'old' });
    const countRows = () =>
      within(async ({ trx }) => [
        await runRows.count(trx, {}, 10),
        await variableRows.count(trx, {}, 10),
        await keyRows.count(trx, {}, 10),
      ]);
    assert.equal((await within(({ trx }) => variableRows.find(trx, runId)))?.variables, variables);
    await bench.drain();
    assert.equal(await countRows(), [1, 1, 1]);
    bench.advanceClock(31 * day);
    await bench.drain();
    assert.equal(await countRows(), [1, 0, 0]);
    bench.advanceClock(370 * day);
    await bench.drain();
    assert.equal(await countRows(), [0, 0, 0]);
  });

  test('erasing a person removes their address from captions, variables and dedupe keys', async () => {
    const quote = 'Write to ada@example.com, she answers.';
    const review = { eventKey: 'review_received', variables: { quote }, dedupeKey: 'review of ada@example.com' };
    const { runId } = await createRun(review);
    await bench.service.personalData.erase(bench.workspaceId, { email: 'ada@example.com' });
    await bench.drain();
    const [run] = await list();
    assert.is(run?.runId, runId);
    assert.not.match(JSON.stringify(run), 'ada@example.com');
    const storedVariables = await within(({ trx }) => variableRows.find(trx, runId));
    assert.not.match(JSON.stringify(storedVariables), 'ada@example.com');
    assert.match(String(storedVariables?.variables['quote']), 'she answers');
    assert.is((await createRun(review)).deduplicated, true);
  });
});

// time-limit: 240
// Weeks that are planned gate by gate: every state, decisions, refusals, credits.
// full-run: slow
import * as assert from 'uvu/assert';
import { createFixtureKit } from '../../hosts/testing/fixture-kit.ts';
import { type ContentPlanBench, openContentPlanBench } from '../support/content-plan-bench.ts';
import { twoDatabases } from '../support/databases.ts';

const day = 86_400_000;
const missingId = 'plan_00000000000000000000000000';

await twoDatabases('weeks of the content plan', (test, database) => {
  let bench: ContentPlanBench;
  test.before.each(async () => {
    bench = await openContentPlanBench(database);
  });
  test.after.each(() => bench.close());

  /** The status of the run in each event of this type. */
  const statusesOf = async (end: 'awaiting' | 'completed' | 'failed'): Promise<string[]> =>
    (await bench.events(`content_plan.run.${end}`)).map(({ status }) => status);
  const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [
    status,
    body.error?.code,
  ];

  test('themes come first, then slots, and the last approval creates one placeholder post per slot', async () => {
    const { approve, gateOf, monday, readRun, start } = bench;
    const id = await start({ channels: ['x', 'bluesky'], postsPerChannel: 2 });
    assert.is((await readRun(id)).status, 'queued');
    await bench.drain();
    let run = await readRun(id);
    assert.equal([run.status, gateOf(run, 'themes').status], ['awaiting_decision', 'pending']);
    assert.equal(
      gateOf(run, 'themes').proposal.map(({ id: themeId, title }) => [themeId, title]),
      [
        ['t1', 'The rye course opens.'],
        ['t2', 'Six evenings.'],
      ],
    );
    run = await approve(id, 'themes', [
      { id: 't1', title: 'Rye for beginners' },
      { id: 't2', remove: true },
    ]);
    const { proposal } = gateOf(run, 'slots');
    const { from } = monday(1);
    assert.is(proposal.length, 4);
    for (const { at, idea } of proposal) {
      assert.ok(Date.parse(at) >= from && Date.parse(at) < from + 7 * day, at);
      assert.is(idea, 'Rye for beginners', 'the idea is the theme as people edited it');
    }
    run = await approve(id, 'slots');
    assert.equal([run.status, run.results.length, run.credits], ['completed', 4, { price: 0, charged: 0 }]);
    const { body: posts } = await bench.call('?planningKind=hold');
    assert.equal(
      posts.data.map((post: { id: string }) => post.id).sort(),
      run.results.map((result: { id: string }) => result.id).sort(),
    );
    assert.equal(
      posts.data.map((post: { plannedAt: string }) => post.plannedAt).sort(),
      proposal.map(({ at }) => at).sort(),
    );
    assert.ok(
      posts.data.every((post: { status: string; groupId: string }) => post.status === 'draft' && post.groupId === id),
    );
    assert.equal(
      [await statusesOf('awaiting'), await statusesOf('completed')],
      [['awaiting_decision', 'awaiting_decision'], ['completed']],
    );
  });

  test('with captions, each slot becomes a draft; the price is reserved with the slots and charged at the end', async () => {
    const { approve, composer, gateOf, monday, planned } = bench;
    const { weekOf } = monday(1);
    composer.answer = (task) =>
      task.kind === 'social_post' ? { captions: { x: 'Six evenings of rye. Book a place.' } } : task.embedded();
    const before = await bench.credits();
    const id = await planned({ weekOf, captions: true, postsPerChannel: 3 });
    await approve(id, 'themes');
    let run = await approve(id, 'slots', [{ id: 's3', remove: true }]);
    assert.equal([run.credits, await bench.credits()], [{ price: 4, charged: 0 }, before - 4]);
    assert.equal(
      gateOf(run, 'captions').proposal.map(({ id: slotId, caption }) => [slotId, caption]),
      [
        ['s1', 'Six evenings of rye. Book a place.'],
        ['s2', 'Six evenings of rye. Book a place.'],
      ],
    );
    run = await approve(id, 'captions', [{ id: 's2', caption: 'Come and bake rye with us.' }]);
    assert.equal([run.status, run.credits, await bench.credits()], ['completed', { price: 4, charged: 4 }, before - 4]);
    const captions = await Promise.all(
      run.results.map(async ({ id: postId }: { id: string }) => (await bench.read(postId)).caption),
    );
    assert.equal(captions.sort(), ['Come and bake rye with us.', 'Six evenings of rye. Book a place.']);
  });

  test('without enough credits the gate stays open, and a rejection returns the reserved credits', async () => {
    const { approve, decide, planned, readRun } = bench;
    const id = await planned({ captions: true });
    await approve(id, 'themes');
    const creditsBefore = await bench.credits();
    await createFixtureKit(bench).write((ctx) => ctx.charge(creditsBefore - 5, 'spent elsewhere'));
    assert.equal(codeOf(await decide(id, { gate: 'slots', decision: 'approve' })), [402, 'credits_exhausted']);
    assert.is((await readRun(id)).status, 'awaiting_decision');
    await bench.service.workspaces.update(bench.workspaceId, { grantCredits: 10 });
    await approve(id, 'slots');
    assert.is(await bench.credits(), 9);
    const { body } = await decide(id, { gate: 'captions', decision: 'reject', comment: 'Another week.' });
    assert.equal([body.status, body.error, await bench.credits()], ['rejected', 'Rejected: Another week.', 15]);
    await bench.drain();
    assert.equal(await statusesOf('failed'), ['rejected']);
    assert.equal(codeOf(await decide(id, { gate: 'captions', decision: 'approve' })), [409, 'state_conflict']);
  });

  test('a gate that is sent back is planned again with the comment, but at most five times', async () => {
    const { composer, decide, gateOf, planned, readRun } = bench;
    const id = await planned();
    assert.equal(codeOf(await decide(id, { gate: 'themes', decision: 'revise' })), [422, 'validation_failed']);
    for (let count = 1; count <= 5; count += 1) {
      const { body } = await decide(id, { gate: 'themes', decision: 'revise', comment: `Change ${count}` });
      assert.equal([body.status, gateOf(body, 'themes').status], ['planning', 'revised']);
      await bench.drain();
    }
    assert.match(composer.tasks.at(-1)?.prompt ?? '', 'Change 5');
    const run = await readRun(id);
    assert.equal([run.status, gateOf(run, 'themes').comment], ['awaiting_decision', 'Change 5']);
    const sixth = await decide(id, { gate: 'themes', decision: 'revise', comment: 'Once more' });
    assert.equal(codeOf(sixth), [409, 'state_conflict']);
  });

  test('the comment of an approval is stored with the gate and returned with the run', async () => {
    const { approve, decide, gateOf, planned, readRun } = bench;
    const id = await planned({ postsPerChannel: 1 });
    await decide(id, { gate: 'themes', decision: 'revise', comment: 'Less rye.' });
    await bench.drain();
    const comment = 'Good. Ask Ada for pictures.';
    const { body } = await decide(id, { gate: 'themes', decision: 'approve', comment });
    assert.equal([gateOf(body, 'themes').status, gateOf(body, 'themes').comment], ['approved', comment]);
    await bench.drain();
    assert.is(gateOf(await readRun(id), 'themes').comment, comment);
    const completed = await approve(id, 'slots');
    assert.equal([gateOf(completed, 'themes').comment, gateOf(completed, 'slots').comment], [comment, null]);
    const [event] = await bench.events('content_plan.run.completed');
    assert.is(event?.gates[0]?.comment, comment);
  });

  test('a decision is refused if it is for another gate, comes during planning, or has invalid edits', async () => {
    const { approve, decide, monday, readRun, start } = bench;
    const id = await start();
    assert.equal(codeOf(await decide(id, { gate: 'themes', decision: 'approve' })), [409, 'state_conflict']);
    await bench.drain();
    assert.equal(codeOf(await decide(id, { gate: 'slots', decision: 'approve' })), [409, 'state_conflict']);
    assert.equal(codeOf(await decide(id, { gate: 'captions', decision: 'approve' })), [409, 'state_conflict']);
    assert.equal(codeOf(await decide(missingId, { gate: 'themes', decision: 'approve' })), [404, 'plan_run_not_found']);
    const refusalOf = async (gate: string, edits: object[]) => {
      const { status, body } = await decide(id, { gate, decision: 'approve', edits });
      assert.is(status, 422);
      return body.error.details.map(({ path }: { path: string }) => path);
    };
    assert.equal(await refusalOf('themes', [{ id: 't9', title: 'None' }]), ['edits.0.id']);
    assert.equal(await refusalOf('themes', [{ id: 't1', caption: 'No text yet' }]), ['edits.0.caption']);
    assert.equal(
      await refusalOf('themes', [
        { id: 't1', title: 'One' },
        { id: 't1', title: 'Two' },
      ]),
      ['edits.1.id'],
    );
    assert.equal(
      await refusalOf('themes', [
        { id: 't1', remove: true },
        { id: 't2', remove: true },
      ]),
      ['edits'],
    );
    const rejection = await decide(id, { gate: 'themes', decision: 'reject', edits: [{ id: 't1', title: 'One' }] });
    assert.equal(rejection.body.error.details[0].path, 'edits');
    await approve(id, 'themes');
    const late = new Date(monday(2).from).toISOString();
    assert.equal(await refusalOf('slots', [{ id: 's1', at: late, channel: 'bluesky', theme: 't9' }]), [
      'edits.0.channel',
      'edits.0.at',
      'edits.0.theme',
    ]);
    assert.is((await readRun(id)).status, 'awaiting_decision', 'nothing changed');
  });

  test('the last approval needs the scope for creating posts', async () => {
    const { decide, planned } = bench;
    const key = await bench.keyWith(['campaigns:write']);
    const id = await planned();
    assert.is((await decide(id, { gate: 'themes', decision: 'approve' }, key)).status, 200);
    await bench.drain();
    const refusal = await decide(id, { gate: 'slots', decision: 'approve' }, key);
    assert.equal(codeOf(refusal), [403, 'insufficient_scope']);
    assert.match(refusal.body.error.message, 'social:posts:write');
  });

  test('a week can have only one unfinished run, and must not have ended', async () => {
    const { decide, monday, plan, planned, start } = bench;
    const id = await planned();
    const second = await plan('/runs', { weekOf: monday(1).weekOf, channels: ['x'] });
    assert.equal(codeOf(second), [409, 'state_conflict']);
    assert.match(second.body.error.message, id);
    await decide(id, { gate: 'themes', decision: 'reject' });
    await start();
    const pathOf = async (body: object) => {
      const { status, body: answer } = await plan('/runs', { weekOf: monday(2).weekOf, channels: ['x'], ...body });
      assert.is(status, 422, JSON.stringify(answer));
      return answer.error.details[0].path;
    };
    assert.is(await pathOf({ weekOf: monday(-1).weekOf }), 'weekOf');
    assert.is(await pathOf({ weekOf: monday(60).weekOf }), 'weekOf');
    assert.is(await pathOf({ weekOf: '2026-11-24' }), 'weekOf', 'a week cannot begin on a Tuesday');
    assert.is(await pathOf({ channels: ['carrier-pigeon'] }), 'channels.0');
    assert.is(await pathOf({ channels: undefined }), 'channels', 'no account is connected');
  });

  test('channels default to the marketing defaults, or to all channels with an account; an ambiguous account must be named', async () => {
    const { approve, monday, plan, planned, readRun, start } = bench;
    await bench.connect('bluesky');
    const first = await bench.connect('x', 'acme');
    assert.equal((await readRun(await start({ channels: undefined }))).channels.sort(), ['bluesky', 'x']);
    await bench.service.as(bench.workspaceId).marketing.defaultsSet({ channels: ['email', 'x'] });
    assert.equal((await readRun(await start({ channels: undefined, weekOf: monday(2).weekOf }))).channels, ['x']);
    await bench.connect('x', 'acme-labs');
    const { weekOf } = monday(3);
    assert.equal(codeOf(await plan('/runs', { weekOf, channels: ['x'] })), [422, 'account_ambiguous']);
    const id = await planned({ weekOf, targetAccountRefs: { x: first }, postsPerChannel: 1 });
    await approve(id, 'themes');
    const run = await approve(id, 'slots');
    const post = await bench.read(run.results[0].id);
    assert.equal(
      [post.targetAccountRefs, post.problems.length > 0],
      [{ x: first }, true],
      'a placeholder has no text yet',
    );
    const withMissingAccount = {
      weekOf: monday(4).weekOf,
      channels: ['x'],
      targetAccountRefs: { x: 'soa_00000000000000000000000000' },
    };
    assert.equal(codeOf(await plan('/runs', withMissingAccount)), [404, 'account_not_found']);
  });

  test('a run without a decision in 14 days expires, and can be planned again', async () => {
    const { planned, readRun, start } = bench;
    const id = await planned();
    bench.advanceClock(14 * day - 60_000);
    await bench.service.jobs.runSchedules();
    await bench.drain();
    assert.is((await readRun(id)).status, 'awaiting_decision');
    bench.advanceClock(3_700_000);
    await bench.service.jobs.runSchedules();
    await bench.drain();
    const run = await readRun(id);
    assert.equal([run.status, run.expiresAt], ['expired', null]);
    assert.equal(await statusesOf('failed'), ['expired']);
    await start();
  });

  test('if one post cannot be created, no post is created: the run fails, and the credits are returned', async () => {
    const { approve, composer, planned } = bench;
    composer.answer = (task) => (task.kind === 'social_post' ? { captions: { x: 'Rye.' } } : task.embedded());
    const before = await bench.credits();
    const id = await planned({ captions: true, postsPerChannel: 2 });
    await approve(id, 'themes');
    await approve(id, 'slots');
    await bench.connect('x', 'acme');
    await bench.connect('x', 'acme-labs');
    const run = await approve(id, 'captions');
    assert.equal([run.status, run.results, await bench.credits()], ['failed', [], before]);
    assert.match(run.error, 'x has several accounts');
    assert.equal((await bench.call('')).body.data, []);
  });

  test('a sandbox run is free and creates posts on the sandbox side', async () => {
    const { decide, plan, start } = bench;
    const key = bench.testKey;
    const id = await start({ captions: true, postsPerChannel: 1 }, key);
    for (const gate of ['themes', 'slots', 'captions']) {
      await bench.drain();
      const { status, body } = await decide(id, { gate, decision: 'approve' }, key);
      assert.is(status, 200, JSON.stringify(body));
    }
    await bench.drain();
    const { body: run } = await plan(`/runs/${id}`, undefined, key);
    assert.equal([run.status, run.sandbox, run.credits], ['completed', true, { price: 0, charged: 0 }]);
    assert.is((await bench.read(run.results[0].id, key)).sandbox, true);
    assert.is((await plan(`/runs/${id}`)).status, 404);
  });
});

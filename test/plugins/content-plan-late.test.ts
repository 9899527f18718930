// time-limit: 240
// Weeks that are decided late or many times, recovery after a crash, and the effect of an erasure.
// full-run: slow
import * as assert from 'uvu/assert';
import { coreErrors } from '../../core/index.ts';
import { createFixtureKit } from '../../hosts/testing/fixture-kit.ts';
import { type ContentPlanBench, openContentPlanBench } from '../support/content-plan-bench.ts';
import { twoDatabases } from '../support/databases.ts';
import { tablesWith } from '../support/dump-tables.ts';

const day = 86_400_000;

await twoDatabases('late decisions on a week', (test, database) => {
  let bench: ContentPlanBench;
  test.before.each(async () => {
    bench = await openContentPlanBench(database);
    const { composer } = bench;
    composer.answer = (task) => (task.kind === 'social_post' ? { captions: { x: 'Rye.' } } : task.embedded());
  });
  test.after.each(() => bench.close());

  test('credits stay reserved while captions are rewritten five times', async () => {
    const { approve, decide, planned } = bench;
    const before = await bench.credits();
    const id = await planned({ captions: true, postsPerChannel: 2 });
    await approve(id, 'themes');
    await approve(id, 'slots');
    for (let count = 1; count <= 5; count += 1) {
      bench.advanceClock(14 * day - 60_000);
      const answer = await decide(id, { gate: 'captions', decision: 'revise', comment: 'Shorter' });
      assert.is(answer.status, 200);
      await bench.service.jobs.runSchedules();
      await bench.drain();
    }
    bench.advanceClock(14 * day - 60_000);
    // Meanwhile all other credits are spent, so only the reserved credits can pay for the captions.
    await createFixtureKit(bench).write(async (ctx) => ctx.charge(before - 4, 'spent elsewhere'));
    const run = await approve(id, 'captions');
    assert.equal([run.status, run.error, run.credits.charged, await bench.credits()], ['completed', null, 4, 0]);
  });

  test('an approval after the deadline is refused even if the run has not expired yet, but a rejection is accepted', async () => {
    const { decide, planned } = bench;
    const id = await planned();
    bench.advanceClock(14 * day);
    for (const body of [{ decision: 'approve' }, { decision: 'revise', comment: 'Shorter' }]) {
      const lateAnswer = await decide(id, { gate: 'themes', ...body });
      assert.equal([lateAnswer.status, lateAnswer.body.error.code], [409, 'state_conflict']);
      assert.match(lateAnswer.body.error.message, 'it expires');
    }
    assert.is((await decide(id, { gate: 'themes', decision: 'reject' })).body.status, 'rejected');
  });

  test('if a composer does not answer in time, it is asked again, and the third timeout fails the run', async () => {
    const { composer, planned, readRun } = bench;
    composer.answer = () => {
      throw coreErrors.provider_timeout({ provider: 'The composer' });
    };
    const id = await planned();
    assert.is((await readRun(id)).status, 'planning');
    for (let count = 0; count < 2; count += 1) {
      bench.advanceClock(60_000);
      await bench.drain();
    }
    const run = await readRun(id);
    assert.equal([run.status, composer.tasks.length], ['failed', 3]);
    assert.match(run.error, 'did not answer in time');
  });

  test('if the process crashes while it creates the posts, each post is created once and charged once', async () => {
    const { approve, crashes, decide, planned, readRun } = bench;
    const before = await bench.credits();
    const id = await planned({ captions: true, postsPerChannel: 2 });
    await approve(id, 'themes');
    await approve(id, 'slots');
    await decide(id, { gate: 'captions', decision: 'approve' });
    crashes.push('job.finishing', 'job.finished');
    for (let count = 0; count < 3; count += 1) {
      await bench.drain().catch(() => undefined);
      bench.advanceClock(600_000);
    }
    await bench.drain();
    const run = await readRun(id);
    assert.equal([run.status, run.results.length, await bench.credits()], ['completed', 2, before - 4]);
    assert.equal([crashes, (await bench.call('')).body.data.length], [[], 2]);
    assert.is((await bench.events('content_plan.run.completed')).length, 1);
  });

  const remove = (account: string) =>
    createFixtureKit(bench).write(async ({ trx }) => {
      await trx.db.deleteFrom('social_accounts').where('id', '=', account).execute();
    });

  test('a removed account is skipped: other accounts get their posts, and the run names the account and the reason', async () => {
    const { approve, composer, planned } = bench;
    composer.answer = (task) => {
      const reply = task.embedded();
      if (task.kind !== 'social_post') return reply;
      const { captions } = reply as { captions: object };
      return {
        captions: Object.fromEntries(Object.keys(captions).map((channel) => [channel, 'Six evenings of rye.'])),
      };
    };
    const before = await bench.credits();
    const removedAccount = await bench.connect('x', 'acme');
    const revokedAccount = await bench.connect('instagram', 'acme');
    await bench.connect('bluesky', 'acme');
    const channels = ['x', 'instagram', 'bluesky'];
    const id = await planned({
      channels,
      captions: true,
      postsPerChannel: 1,
      targetAccountRefs: { x: removedAccount },
    });
    await approve(id, 'themes');
    await approve(id, 'slots');
    await remove(removedAccount);
    await createFixtureKit(bench).write(async ({ trx }) => {
      await trx.db.updateTable('social_accounts').set({ status: 'revoked' }).where('id', '=', revokedAccount).execute();
    });
    const run = await approve(id, 'captions');
    assert.equal([run.status, run.error, run.results.length], ['completed', null, 1]);
    assert.equal((await bench.read(run.results[0].id)).channels, ['bluesky']);
    const leftOut = run.leftOut.map(({ channel, accountRef, code }: Record<string, string>) => [
      ...[channel, accountRef, code],
    ]);
    assert.equal(leftOut.sort(), [
      ['instagram', revokedAccount, 'account_disconnected'],
      ['x', removedAccount, 'account_missing'],
    ]);
    assert.equal(
      [run.credits, await bench.credits()],
      [{ price: 6, charged: 2 }, before - 2],
      'only one post is charged',
    );
    const [completed] = await bench.events('content_plan.run.completed');
    assert.equal(completed?.leftOut, run.leftOut);
  });

  test('if no account is left, the run fails with the reason, and the credits are returned', async () => {
    const { approve, planned } = bench;
    const before = await bench.credits();
    const account = await bench.connect('x', 'acme');
    const id = await planned({ captions: true, postsPerChannel: 1, targetAccountRefs: { x: account } });
    await approve(id, 'themes');
    await approve(id, 'slots');
    await remove(account);
    const run = await approve(id, 'captions');
    assert.equal([run.status, run.results, await bench.credits()], ['failed', [], before]);
    assert.match(run.error, 'no account of the plan is left. Connect one, then plan the week again');
    assert.match(run.error, `The account ${account} on X was removed.`);
    assert.is(run.leftOut[0].accountRef, account);
  });

  test('a dry run of an approval returns its credits and changes nothing, and a repeated approval counts once', async () => {
    const { approve, planned, readRun } = bench;
    const before = await bench.credits();
    const id = await planned({ captions: true, postsPerChannel: 2 });
    await approve(id, 'themes');
    const send = (headers: Record<string, string>) =>
      bench.request(`/v1/content-plan/runs/${id}/decide`, { body: { gate: 'slots', decision: 'approve' }, headers });
    const dryRun = await send({ 'dry-run': 'true', 'idempotency-key': 'tried' });
    assert.equal([dryRun.status, dryRun.headers['Dry-Run-Credits']], [200, '4']);
    await bench.drain();
    assert.equal([(await readRun(id)).gates[1].status, await bench.credits()], ['pending', before]);
    const once = await send({ 'idempotency-key': 'once' });
    await bench.drain();
    const again = await send({ 'idempotency-key': 'once' });
    assert.equal([once.status, again.headers['Idempotent-Replay'], again.body], [200, 'true', once.body]);
    assert.is(await bench.credits(), before - 4);
  });

  test('erasing an address removes it from all data of a plan: gates, comments, edits, events, posts, answers', async () => {
    const { approve, decide, planned } = bench;
    const address = 'ada@example.org';
    const id = await planned({
      themes: [`Rye by ${address}`],
      brief: `Ask ${address}`,
      captions: true,
      postsPerChannel: 1,
    });
    await decide(id, { gate: 'themes', decision: 'revise', comment: `Write ${address}` });
    await bench.drain();
    await approve(id, 'themes', [{ id: 't1', reason: `For ${address}` }]);
    await approve(id, 'slots', [{ id: 's1', idea: `Meet ${address}` }]);
    const otherRun = await planned({ brief: `Ask ${address}`, weekOf: bench.monday(2).weekOf });
    await decide(otherRun, { gate: 'themes', decision: 'reject', comment: `No ${address}` });
    await bench.drain();
    await bench.service.personalData.erase(bench.workspaceId, { email: address });
    await bench.drain();
    assert.equal(await tablesWith(bench.service, /ada@example\.org/), []);
  });
});

// time-limit: 240
// Several people plan a week, and decide on it, at the same time.
import * as assert from 'uvu/assert';
import { type ContentPlanBench, openContentPlanBench } from '../support/content-plan-bench.ts';
import { eachDatabase } from '../support/databases.ts';

await eachDatabase('simultaneous decisions', (test, database) => {
  let bench: ContentPlanBench;
  test.before.each(async () => {
    bench = await openContentPlanBench(database);
    const { composer } = bench;
    composer.answer = (task) => (task.kind === 'social_post' ? { captions: { x: 'Rye.' } } : task.embedded());
  });
  test.after.each(() => bench.close());

  test('of simultaneous approvals only one counts and reserves the captions; then only one of three decisions counts', async () => {
    const { approve, decide, planned, readRun } = bench;
    const before = await bench.credits();
    const id = await planned({ captions: true, postsPerChannel: 3 });
    await approve(id, 'themes');
    const approvals = Array.from({ length: 4 }, () => decide(id, { gate: 'slots', decision: 'approve' }));
    assert.equal((await Promise.all(approvals)).map(({ status }) => status).sort(), [200, 409, 409, 409]);
    await bench.drain();
    assert.equal([(await readRun(id)).status, await bench.credits()], ['awaiting_decision', before - 6]);
    const last = await Promise.all([
      decide(id, { gate: 'captions', decision: 'approve' }),
      decide(id, { gate: 'captions', decision: 'reject' }),
      decide(id, { gate: 'captions', decision: 'revise', comment: 'Shorter' }),
    ]);
    assert.equal(last.map(({ status }) => status).sort(), [200, 409, 409]);
    await bench.drain();
    const { status } = await readRun(id);
    assert.is(await bench.credits(), status === 'rejected' ? before : before - 6, status);
  });

  test('simultaneous plans for one week create one run', async () => {
    const { monday, plan } = bench;
    const body = { weekOf: monday(1).weekOf, channels: ['x'] };
    const answers = await Promise.all(Array.from({ length: 4 }, () => plan('/runs', body)));
    assert.equal(answers.map(({ status }) => status).sort(), [202, 409, 409, 409]);
  });
});

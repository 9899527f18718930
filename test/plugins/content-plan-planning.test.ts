// time-limit: 240
// Planning a week: the input of the composer, refused answers, times, crashes, erased addresses.
// full-run: slow
import * as assert from 'uvu/assert';
import { createFixtureKit } from '../../hosts/testing/fixture-kit.ts';
import { newsRows } from '../../plugins/content-plan/news/tables.ts';
import { type ContentPlanBench, openContentPlanBench } from '../support/content-plan-bench.ts';
import { twoDatabases } from '../support/databases.ts';

const day = 86_400_000;

await twoDatabases('planning a week', (test, database) => {
  let bench: ContentPlanBench;
  test.before.each(async () => {
    bench = await openContentPlanBench(database);
  });
  test.after.each(() => bench.close());

  /** The statuses of runs in the events of one kind. */
  const statusesOf = async (end: 'awaiting' | 'completed' | 'failed'): Promise<string[]> =>
    (await bench.events(`content_plan.run.${end}`)).map(({ status }) => status);

  test('a run fails if the composer gives no usable answer', async () => {
    const { composer, planned, readRun } = bench;
    composer.answer = () => ({ themes: [] });
    const id = await planned();
    const run = await readRun(id);
    assert.is(run.status, 'failed');
    assert.match(run.error, 'the themes');
    assert.equal(await statusesOf('failed'), ['failed']);
  });

  test('a plan with unknown channels, days or themes is refused, and requested again', async () => {
    const { approve, composer, gateOf, planned } = bench;
    const id = await planned({ postsPerChannel: 1 });
    const replies = [
      { slots: [{ channel: 'tiktok', day: 1, time: '10:00', theme: 0, idea: 'Rye.' }] },
      { slots: [{ channel: 'x', day: 1, time: '10:00', theme: 9, idea: 'Rye.' }] },
      { slots: [{ channel: 'x', day: 1, time: '10:00', theme: 0, idea: 'Rye.' }] },
    ];
    composer.tasks.length = 0;
    composer.answer = () => replies.shift();
    const run = await approve(id, 'themes');
    assert.is(gateOf(run, 'slots').proposal.length, 1);
    assert.match(composer.tasks[1]?.prompt ?? '', 'the run has no channel tiktok');
    assert.match(composer.tasks[2]?.prompt ?? '', 'there is no theme 9');
  });

  test('after a crash the run continues, and stored texts are not written again', async () => {
    const { approve, composer, crashes, gateOf, planned, readRun } = bench;
    const before = await bench.credits();
    composer.answer = (task) => (task.kind === 'social_post' ? { captions: { x: 'Rye.' } } : task.embedded());
    const id = await planned({ captions: true, postsPerChannel: 7 });
    await approve(id, 'themes');
    composer.tasks.length = 0;
    crashes.push('content_plan.captions_written');
    await approve(id, 'slots');
    bench.advanceClock(60_000);
    await bench.drain();
    const run = await readRun(id);
    assert.equal([run.status, gateOf(run, 'captions').proposal.length], ['awaiting_decision', 7]);
    assert.is(composer.tasks.length, 5 + 7, 'the first five texts were lost before they were stored');
    assert.is(await bench.credits(), before - 14, 'the credits are held once');
  });

  test('times are in the time zone of the run', async () => {
    const { approve, gateOf, planned } = bench;
    const timezone = 'Pacific/Auckland';
    const id = await planned({ timezone, postsPerChannel: 3 });
    const run = await approve(id, 'themes');
    const localTime = (at: string) =>
      new Date(at).toLocaleString('en-GB', {
        timeZone: timezone,
        weekday: 'short',
        hour: '2-digit',
        minute: '2-digit',
      });
    assert.equal(
      gateOf(run, 'slots').proposal.map(({ at }) => localTime(at)),
      ['Mon 10:00', 'Wed 10:00', 'Fri 10:00'],
    );
  });

  test('if a planned time is over when the posts are created, the post moves to one hour later', async () => {
    const { approve, gateOf, planned } = bench;
    const id = await planned({ postsPerChannel: 1 });
    const run = await approve(id, 'themes');
    bench.advanceClock(Date.parse(gateOf(run, 'slots').proposal[0]?.at ?? '') - bench.now() + 60_000);
    const { results } = await approve(id, 'slots');
    const { plannedAt } = await bench.read(results[0].id);
    assert.ok(Date.parse(plannedAt) > bench.now() && Date.parse(plannedAt) <= bench.now() + 3_600_000, plannedAt);
  });

  test('the composer gets upvoted news and the planned posts; news are never part of its instructions', async () => {
    const { composer, monday, plan, planned, readRun } = bench;
    await createFixtureKit(bench).write(({ trx, now, newId }) =>
      newsRows.insert(trx, {
        ...{ id: newId('news'), key_hash: 'k', url_hash: 'u', title: 'Rye is scarce', url: 'https://news.example/' },
        ...{ source: 'Grain today', excerpt: '', published_at: now, score: 0, created_at: now },
      }),
    );
    const [piece] = (await plan('/market-news')).body.data;
    await plan(`/market-news/${piece.newsId}/vote`, { vote: 'up' });
    const scheduleAt = new Date(monday(1).from + day).toISOString();
    await bench.post({ mode: 'hold', channels: ['x'], brief: 'The open day', scheduleAt });
    const run = await readRun(await planned({ brief: undefined }));
    const [theme] = run.gates[0].proposal;
    assert.equal([theme.title, theme.newsId], ['Rye is scarce', piece.newsId]);
    const { prompt, instructions } = composer.tasks.at(-1) ?? { prompt: '', instructions: '' };
    for (const words of ['Rye is scarce', 'The open day']) {
      assert.match(prompt, words);
      assert.not.match(instructions, words);
    }
  });

  test('an address in a plan is removed if the person is erased', async () => {
    const { planned, readRun } = bench;
    const id = await planned({ themes: ['Rye'], brief: 'Six evenings. Ask:\nada@example.org' });
    await bench.service.personalData.erase(bench.workspaceId, { email: 'ada@example.org' });
    await bench.drain();
    assert.not.match(JSON.stringify(await readRun(id)), 'ada@example.org');
  });
});

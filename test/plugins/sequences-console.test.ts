// The pages of sequences in the console: their contents, their links, and the effects of their forms.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openSequenceConsoleBench, type SequenceConsoleBench } from '../support/sequence-console-bench.ts';

const test = suite<{ bench: SequenceConsoleBench }>('the pages of sequences in the console');

test.before(async (context) => {
  context.bench = await openSequenceConsoleBench();
});
test.after(({ bench }) => bench.close());
test.before.each(({ bench }) => {
  bench.signIn.present = bench.member();
});

/** The SVG picture of the graph in a page */
const pictureIn = (text: string): string =>
  Buffer.from(/src="data:image\/svg\+xml;base64,([^"]+)"/.exec(text)?.[1] ?? '', 'base64').toString('utf8');

const idempotencyKeyIn = (text: string): string => /name="key" value="([^"]+)"/.exec(text)?.[1] ?? '';

test('the list shows names, states and counts, and links to each sequence', async ({ bench }) => {
  const { text } = await bench.page('/sequences');
  assert.match(text, `${bench.workspaceId}/sequences/${bench.sequenceId}?side=live">&lt;i&gt;Trial&lt;/i&gt;</a>`);
  assert.match(text, '<span class="pill good">Published</span>');
  assert.match(text, 'When trial_started');
  assert.match(
    text,
    /data-head="Runs" class="n"><span>2<\/span><\/td><td role="cell" data-head="Active" class="n"><span>2</,
  );
});

test('a sequence shows counts by node with the reasons of skipped steps, and escapes its texts', async ({ bench }) => {
  const { text } = await bench.page(`/sequences/${bench.sequenceId}`);
  assert.match(
    text,
    /Send SMS account_alert<\/span><span class="below">text<.*?"Reached" class="n"><span>1<.*?"Waiting" class="n"><span>0<.*?"Skipped" class="n"><span>1<span class="below">no_phone 1</,
  );
  assert.match(text, `href="../${bench.workspaceId}/templates/order_receipt?side=live">order_receipt</a>`.slice(9));
  assert.match(text, `sequences/runs/${bench.runId}?side=live">ada@example.com</a>`);
  const picture = pictureIn(text);
  assert.match(picture, '1 reached · 1 skipped');
  assert.match(picture, '&lt;b&gt;paid&lt;/b&gt;');
  assert.not.match(picture, '<b>');
  assert.not.match(text, '<i>Trial');
});

test('the page of a run shows its path and its steps, with the reasons of skipped steps, and links to contact, sequence and send', async ({
  bench,
}) => {
  const { text } = await bench.page(`/sequences/runs/${bench.runId}`);
  assert.match(text, /<h1 dir="auto">ada@example\.com<\/h1><span class="pill good">Active</);
  assert.match(text, /It continues at <time class="exact" datetime="2026-11-23T12:/);
  assert.match(text, 'text · Skipped: no_phone');
  assert.match(text, 'plan · Done: took branch:0');
  assert.match(text, `contacts/${bench.ada.id}?side=live">ada@example.com</a>`);
  assert.match(text, `sequences/${bench.sequenceId}?side=live">&lt;i&gt;Trial&lt;/i&gt;</a>`);
  assert.match(text, `sends/${bench.sendId}?side=live">The send</a>`);
  const boxesOnPath = pictureIn(text).match(/<rect class="\w p"/g) ?? [];
  assert.is(boxesOnPath.length, 4);
  bench.signIn.present = bench.member(['sequences:read']);
  const alone = (await bench.page(`/sequences/runs/${bench.runId}`)).text;
  assert.not.match(alone, `contacts/${bench.ada.id}`);
  assert.not.match(alone, `sends/${bench.sendId}`);
  assert.not.match(alone, 'Cancel this run');
});

test('the pages of a contact and of a send link to the run', async ({ bench }) => {
  const link = `sequences/runs/${bench.runId}?side=live"`;
  assert.match((await bench.page(`/contacts/${bench.ada.id}`)).text, link);
  assert.match((await bench.page(`/sends/${bench.sendId}`)).text, link);
  bench.signIn.present = bench.member(['sends:read']);
  assert.not.match((await bench.page(`/sends/${bench.sendId}`)).text, link);
});

test('the earlier address redirects to the page for its query', async ({ bench }) => {
  for (const [query, page] of [
    ['', 'sequences'],
    [`&sequence=${bench.sequenceId}`, `sequences/${bench.sequenceId}`],
    [`&sequence=${bench.sequenceId}&run=${bench.runId}`, `sequences/runs/${bench.runId}`],
  ] as const) {
    const address = `/sequences-console?workspace=${bench.workspaceId}&side=sandbox${query}`;
    assert.is(await bench.movedTo(address), `console/${bench.workspaceId}/${page}?side=sandbox`);
  }
});

test('ids of the other side and unknown ids are not found', async ({ bench }) => {
  assert.is((await bench.page('/sequences/seq_gone')).status, 404);
  assert.is((await bench.page('/sequences/runs/run_gone')).status, 404);
  assert.is((await bench.page(`/sequences/runs/${bench.runId}?side=sandbox`)).status, 404);
  const sandbox = await bench.page(`/sequences/${bench.sequenceId}?side=sandbox`);
  assert.match(sandbox.text, 'No contact has entered it on this side of the workspace.');
  // Pausing and archiving change the live sequence, which the sandbox side cannot do.
  assert.not.match(sandbox.text, 'Pause the sequence');
  bench.signIn.present = bench.member(['contacts:read']);
  assert.is((await bench.page('/sequences')).status, 403);
});

test('the runs of a sequence can be listed by their state', async ({ bench }) => {
  const path = `/sequences/${bench.sequenceId}/runs`;
  assert.match((await bench.page(path)).text, bench.graceRunId);
  assert.match((await bench.page(`${path}?status=active`)).text, bench.graceRunId);
  assert.match((await bench.page(`${path}?status=failed`)).text, 'No run is in this state.');
});

test('a run is canceled once, in the name of the person', async ({ bench }) => {
  const path = `/sequences/runs/${bench.graceRunId}`;
  const page = (await bench.page(path)).text;
  assert.match(page, 'grace@example.com gets nothing more from this run of &lt;i&gt;Trial&lt;/i&gt;.');
  const fields = { action: 'cancel', key: idempotencyKeyIn(page) };
  for (let count = 0; count < 2; count += 1) assert.is((await bench.post(path, fields)).status, 303);
  const after = (await bench.page(`${path}?done=cancel`)).text;
  assert.match(after, 'The run was canceled. It sends nothing more.');
  assert.match(after, '<span class="pill plain">Canceled</span>');
  assert.not.match(after, 'Cancel this run');
  const { data } = await bench.calls.audit.list({ action: 'sequence_run.cancel' });
  assert.is(data.length, 1);
  assert.match(JSON.stringify(data[0]), 'u_sue');
});

test('a sequence can be paused, resumed and archived, within the scopes of the person', async ({ bench }) => {
  const { id, key } = await bench.calls.sequences.create({
    key: 'short',
    name: 'Short',
    nodes: [{ id: 'end', kind: 'exit' }],
    edges: [],
  });
  const path = `/sequences/${id}`;
  assert.not.match((await bench.page(path)).text, 'Pause the sequence');
  await bench.calls.sequences.publish({ keyOrId: key });
  const pageText = (await bench.page(path)).text;
  assert.match(
    pageText,
    'While Short is paused, no contact enters it. It has 0 active runs, which will wait until you resume it.',
  );
  const statusAfter = async (action: string) => {
    const { text } = await bench.page(path);
    assert.is((await bench.post(path, { action, key: idempotencyKeyIn(text) })).status, 303);
    return (await bench.calls.sequences.read({ keyOrId: id })).status;
  };
  assert.is(await statusAfter('pause'), 'paused');
  assert.match((await bench.page(path)).text, 'It is paused: no contact enters it, and its runs wait.');
  assert.is(await statusAfter('resume'), 'published');
  const secondAnswer = await bench.post(path, { action: 'resume', key: 'another-key' });
  assert.is(secondAnswer.status, 422);
  assert.match(secondAnswer.text, 'Nothing was changed. The sequence short is published.');
  bench.signIn.present = bench.member(['sequences:read']);
  assert.not.match((await bench.page(path)).text, 'Archive the sequence');
  assert.is((await bench.post(path, { action: 'archive', key: 'third-key' })).status, 422);
  bench.signIn.present = bench.member();
  assert.is(await statusAfter('archive'), 'archived');
  assert.not.match((await bench.page(path)).text, 'Archive the sequence');
  assert.not.match((await bench.page('/sequences')).text, id);
  assert.match((await bench.page('/sequences?status=archived')).text, id);
});

test('the list can be filtered by state and key, has pages, and says when nothing matches', async ({ bench }) => {
  const { sequences } = bench.calls;
  for (let number = 0; number < 60; number += 1) {
    bench.advanceClock(1_000);
    await sequences.create({ key: `drip_${number}`, name: number === 7 ? '100% "Wool"' : `Drip ${number}` });
  }
  const keysIn = (text: string) => [...text.matchAll(/<code class="id">(\w+)<\/code>/g)].map(([, key]) => key);
  const all = (await bench.page('/sequences')).text;
  assert.equal([keysIn(all)[0], keysIn(all).length], ['drip_59', 51]);
  assert.match(all, 'There are more. Choose a state to see all that are in it.');
  const first = (await bench.page('/sequences?status=draft')).text;
  assert.equal([keysIn(first).length, keysIn(first)[0]], [50, 'drip_59']);
  const [, next = ''] = /rel="next" href="[^"]*(\?[^"]+)"/.exec(first) ?? [];
  const second = (await bench.page(`/sequences${next.replaceAll('&amp;', '&')}`)).text;
  assert.equal([keysIn(second).length, keysIn(second).at(-1)], [10, 'drip_0']);
  assert.not.match(second, 'rel="next"');
  assert.match(second, '>Newest</a>');
  const wool = (await bench.page('/sequences?key=drip_7')).text;
  assert.equal(keysIn(wool), ['drip_7']);
  assert.match(wool, '100% &quot;Wool&quot;');
  assert.equal(keysIn((await bench.page(`/sequences?key=${bench.sequenceId}`)).text), [bench.key]);
  assert.match((await bench.page('/sequences?key=no_such_key')).text, 'No sequence matches these filters.');
  assert.is((await bench.page('/sequences?status=draft&cursor=x')).status, 400);
});

test.run();

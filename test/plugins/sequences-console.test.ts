// time-limit: 120
// The sequences page: access, and its appearance in a real browser, behind a base path, in light, dark and narrow. With
// POSTRIDER_TEST_SCREENSHOTS=FOLDER it saves screenshots there.
// full-run: browser
import type { Browser } from 'playwright-core';
import * as assert from 'uvu/assert';
import { createTestService } from '../../hosts/testing/index.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { sequencesPlugin } from '../../plugins/sequences/index.ts';
import { pageRequester, saveScreenshot, visitUnderBasePath } from '../support/console-visit.ts';
import { inPage, lowContrastTexts, overflow, until } from '../support/inbox-visit.ts';
import { openBrowser, suiteInBrowser } from '../support/page-browser.ts';

const graph = {
  trigger: { kind: 'event', type: 'trial_started' },
  nodes: [
    {
      id: 'plan',
      kind: 'branch',
      conditions: [{ filter: { path: 'contact.attributes.plan', op: 'eq', value: 'pro' } }],
    },
    { id: 'text', kind: 'send_sms', templateKey: 'account_alert', variables: { message: 'Welcome' } },
    { id: 'pause', kind: 'delay', for: 'P3D' },
    { id: 'mark', kind: 'update_contact', attributes: { trial: 'over' } },
    { id: 'wait', kind: 'wait_for_event', type: 'order_paid', timeout: 'P7D' },
    { id: 'paid', kind: 'exit', reason: '<b>paid</b>' },
  ],
  edges: [
    { from: 'plan', to: 'text', when: 'branch:0' },
    { from: 'plan', to: 'pause', when: 'else' },
    { from: 'text', to: 'pause', when: 'next' },
    { from: 'pause', to: 'mark', when: 'next' },
    { from: 'mark', to: 'wait', when: 'next' },
    { from: 'wait', to: 'paid', when: 'matched' },
    { from: 'wait', to: 'pause', when: 'timeout' },
  ],
} as const;

/** The captions of tables that are wider than their container. */
const cutTables =
  "[...document.querySelectorAll('table')].filter((table) => table.scrollWidth > table.parentElement.clientWidth).map((table) => table.caption.textContent)";

/** A service with one sequence and the runs of two contacts; ada's run skipped an SMS. */
async function openBench(options: Parameters<typeof sequencesPlugin>[0] = { console: {} }) {
  const bench = await createTestService({
    plugins: standardPlugins.map((plugin) => (plugin.id === 'sequences' ? sequencesPlugin(options) : plugin)),
    startAt: Date.UTC(2026, 4, 20, 12),
  });
  const { service, workspaceId } = bench;
  const { sequences, contacts } = service.as(workspaceId);
  // Copied, because the calls take mutable lists.
  const { trigger, nodes, edges } = structuredClone(graph) as unknown as Parameters<typeof sequences.create>[0];
  const { key, id } = await sequences.create({ name: '<i>Trial</i>', trigger, nodes, edges });
  await sequences.publish({ keyOrId: key });
  await contacts.upsert({ email: 'ada@example.com', attributes: { plan: 'pro' } });
  const { runId } = await sequences.enroll({ keyOrId: key, contact: { email: 'ada@example.com' } });
  await sequences.enroll({ keyOrId: key, contact: { email: 'grace@example.com' } });
  await bench.drain();
  const ask = pageRequester(service, '/sequences-console');
  return { bench, ask, id, runId };
}

const test = suiteInBrowser<{ browser: Browser }>('the page of sequences', {
  title: 'the page is there to be looked at',
  async run() {
    const { bench, ask } = await openBench();
    assert.is((await ask('')).status, 200);
    await bench.close();
  },
});

test.before(async (context) => {
  context.browser = await openBrowser();
});
test.after(({ browser }) => browser.close());

for (const colorScheme of ['light', 'dark'] as const)
  test(`in ${colorScheme} the keyboard leads from the list to a run, without a script, from wide to 320 px`, async ({
    browser,
  }) => {
    const { bench } = await openBench();
    const options = { colorScheme, viewport: { width: 1280, height: 900 } };
    await visitUnderBasePath(browser, bench, options, async ({ page, origin, pageErrors }) => {
      for (const width of [1280, 820, 390, 320]) {
        await page.setViewportSize({ width, height: 800 });
        await page.goto(`${origin}/sequences-console`);
        assert.is(await page.title(), 'Sequences · Postrider');
        for (const step of ['list', 'sequence', 'run'] as const) {
          assert.equal(await inPage(page, lowContrastTexts), [], step);
          assert.ok((await inPage<number>(page, overflow)) <= 0, `${step} at ${width} px`);
          assert.equal(await inPage(page, cutTables), [], `${step} at ${width} px`);
          await saveScreenshot(page, `sequences-${step}-${colorScheme}-${width}`);
          if (step === 'run') break;
          const name = step === 'list' ? '<i>Trial</i>' : 'ada@example.com';
          await page.getByRole('link', { name }).focus();
          await page.keyboard.press('Enter');
          await page.getByRole('heading', { level: 1, name }).waitFor();
          await until(
            page,
            "document.querySelector('img').complete && document.querySelector('img').naturalWidth > 200",
          );
        }
        assert.match(await page.locator('table').innerText(), /skipped[\s\S]*no_phone/);
      }
      assert.equal(pageErrors, []);
    });
  });

test('the page shows counts and skip reasons, and escapes the texts of a sequence', async () => {
  const { bench, ask, id, runId } = await openBench();
  const at = `workspace=${bench.workspaceId}`;
  const list = (await ask(`?${at}`)).text;
  assert.match(list, '&lt;i&gt;Trial&lt;/i&gt;');
  assert.match(list, /data-head="Runs" class="n">2<\/td><td role="cell" data-head="Active" class="n">2<\/td>/);
  const sequence = (await ask(`?${at}&sequence=${id}`)).text;
  assert.match(
    sequence,
    /Send SMS account_alert<br><span class="hush">text<\/span><\/td>.*"Reached" class="n">1<.*"Waiting" class="n">0<.*"Skipped" class="n">1</,
  );
  assert.match((await ask(`?${at}&run=${runId}`)).text, 'no_phone');
  const drawing = (await ask(`/graph.svg?${at}&sequence=${id}`)).text;
  assert.match(drawing, '1 reached · 1 skipped');
  assert.match(drawing, '&lt;b&gt;paid&lt;/b&gt;');
  assert.not.match(drawing, '<b>');
  assert.match((await ask(`/graph.svg?${at}&sequence=${id}&run=${runId}`)).text, 'class="b p"');
  await bench.close();
});

test('the window title names the page, and a dead link shows browsers a page with a way back', async () => {
  const { bench, ask, id, runId } = await openBench();
  const at = `?workspace=${bench.workspaceId}`;
  const titleOf = async (rest: string) => /<title>([^<]*)</.exec((await ask(rest)).text)?.[1];
  assert.is(await titleOf(at), 'Sequences · Postrider');
  assert.is(await titleOf(`${at}&sequence=${id}`), '&lt;i&gt;Trial&lt;/i&gt; · Sequences · Postrider');
  assert.is(await titleOf(`${at}&run=${runId}`), 'A run of &lt;i&gt;Trial&lt;/i&gt; · Sequences · Postrider');
  const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
  for (const [rest, status] of [
    [`${at}&sequence=seq_gone`, 404],
    [`${at}&run=run_gone`, 404],
    ['?workspace=ws_gone', 404],
    ['?side=left', 422],
  ] as const) {
    const page = await ask(rest, browser);
    assert.is(page.status, status);
    assert.match(page.text, /<h1>Not here<\/h1><p>[^<]+\.<\/p><p><a class="button" href="\?">Start again</);
    assert.not.match(page.text, '/v1/', 'people who see a page do not call the API');
    const program = await ask(rest);
    assert.is(program.status, status);
    assert.ok(JSON.parse(program.text).error.code);
  }
  await bench.close();
});

test('the page opens on the live side, or on the sandbox side for the plan sandbox', async () => {
  const { bench, ask } = await openBench();
  const defaultFrom = { email: 'hello@acme.example', name: 'Acme' };
  const tried = await bench.service.workspaces.create({ name: 'Tried', plan: 'sandbox', defaultFrom });
  const openSide = async (id: string, more = '') =>
    /aria-current="true" href="[^"]*side=(\w+)">\1</.exec((await ask(`?workspace=${id}${more}`)).text)?.[1];
  assert.is(await openSide(bench.workspaceId), 'live');
  assert.is(await openSide(tried.id), 'sandbox');
  assert.is(await openSide(tried.id, '&side=live'), 'live');
  await bench.close();
});

test('the list can be searched by name and key, and is paginated', async () => {
  const { bench, ask } = await openBench();
  const { sequences } = bench.service.as(bench.workspaceId);
  for (let number = 0; number < 60; number += 1) {
    bench.advanceClock(1_000);
    await sequences.create({ key: `drip_${number}`, name: number === 7 ? '100% "Wool"' : `Drip ${number}` });
  }
  const at = `?workspace=${bench.workspaceId}&side=live`;
  const namesIn = (text: string) => [...text.matchAll(/<span class="hush">(\w+)<\/span>/g)].map(([, key]) => key);
  const first = (await ask(at)).text;
  assert.equal([namesIn(first).length, namesIn(first)[0]], [50, 'drip_59']);
  const [, next = ''] = /rel="next" href="([^"]+)"/.exec(first) ?? [];
  const second = (await ask(next.replaceAll('&amp;', '&'))).text;
  assert.equal([namesIn(second).length, namesIn(second).at(-2)], [11, 'drip_0']);
  assert.not.match(second, 'rel="next"');
  assert.match(second, '>Newest</a>');
  assert.equal(namesIn((await ask(`${at}&search=DRIP_5`)).text), [
    'drip_59',
    'drip_58',
    'drip_57',
    'drip_56',
    'drip_55',
    'drip_54',
    'drip_53',
    'drip_52',
    'drip_51',
    'drip_50',
    'drip_5',
  ]);
  const wool = (await ask(`${at}&search=${encodeURIComponent('100% "w')}`)).text;
  assert.equal(namesIn(wool), ['drip_7']);
  assert.match(wool, 'value="100% &quot;w"');
  assert.match((await ask(`${at}&search=no+such+name`)).text, 'No sequence matches.');
  assert.match((await ask(`${at}&after=x`)).text, 'cursor_invalid');
  await bench.close();
});

test('the page respects the sign-in, is local without one, and exists only if it is enabled', async () => {
  const { bench, ask, id, runId } = await openBench();
  const foreign = `workspace=${bench.foreignWorkspaceId}`;
  assert.match((await ask(`?${foreign}&sequence=${id}`)).text, 'sequence_not_found');
  assert.match((await ask(`?${foreign}&run=${runId}`)).text, 'run_not_found');
  assert.match((await ask(`?workspace=${bench.workspaceId}&side=sandbox&run=${runId}`)).text, 'run_not_found');
  assert.match((await ask('', { host: 'evil.example' })).text, 'sequences_console_not_local');
  assert.match((await ask('', { origin: 'https://evil.example' })).text, 'sequences_console_cross_site');
  await bench.close();
  const guarded = await openBench({
    console: { authorize: ({ cookies }) => (cookies.ok ? { workspaces: [] } : undefined) },
  });
  assert.match((await guarded.ask('')).text, 'sequences_console_access_denied');
  const refused = await guarded.ask(`?workspace=${guarded.bench.workspaceId}`, { cookie: 'ok=1' });
  assert.match(refused.text, 'workspace_not_found');
  await guarded.bench.close();
  const without = await openBench({});
  assert.is((await without.ask('')).status, 404);
  await without.bench.close();
});

test.run();

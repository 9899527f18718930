// time-limit: 300
// The page of broadcasts: access, figures, words, and its appearance in a real browser, behind a base path, in light, dark and narrow.
// With POSTRIDER_TEST_SCREENSHOTS=FOLDER it saves screenshots there.
// full-run: browser
import type { Browser } from 'playwright-core';
import * as assert from 'uvu/assert';
import { inWorkspace } from '../../core/unstable.ts';
import { createTestService } from '../../hosts/testing/index.ts';
import { broadcastsPlugin, writeSampleReport } from '../../plugins/broadcasts/index.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { initialState } from '../../plugins/reputation/store.ts';
import { historyRows, stateRows } from '../../plugins/reputation/tables.ts';
import { accessibilityViolations } from '../support/axe.ts';
import { pageRequester, saveScreenshot, visitUnderBasePath } from '../support/console-visit.ts';
import { inPage, lowContrastTexts, overflow, until } from '../support/inbox-visit.ts';
import { openBrowser, suiteInBrowser } from '../support/page-browser.ts';

const body =
  '<html><body><p>Hello</p><a href="https://shop.example/chairs">Chairs</a><a href="%unsubscribe_url%">Unsubscribe</a></body></html>';
const readers = 40;

/** The captions of tables that are wider than their container. */
const cutTables =
  "[...document.querySelectorAll('table')].filter((table) => table.scrollWidth > table.parentElement.clientWidth).map((table) => table.caption.textContent)";
/** Pictures that were not drawn. */
const unseenPictures = '[...document.images].filter((image) => !image.complete || image.naturalWidth < 200).length';

/** A service whose workspace can send broadcasts, with a list of 40 readers, one of whom is suppressed. */
async function openBench(options: Parameters<typeof broadcastsPlugin>[0] = { console: {} }) {
  const bench = await createTestService({
    plugins: standardPlugins.map((plugin) => (plugin.id === 'broadcasts' ? broadcastsPlugin(options) : plugin)),
    startAt: Date.UTC(2026, 4, 20, 12),
  });
  const { service, workspaceId } = bench;
  const { brand, broadcasts, contacts, lists, suppressions, templates } = service.as(workspaceId);
  await brand.create({ name: 'Example', postal_address: 'Example Ltd\n1 Main Street' });
  await templates.create({ key: 'news', category: 'marketing', mode: 'html', subject: 'News', body });
  await templates.publish({ key: 'news' });
  const { listId } = await lists.create({ name: 'Readers' });
  const contactIds: string[] = [];
  for (let index = 0; index < readers; index += 1) {
    const email = `reader${index}@${index % 3 === 0 ? 'example.org' : 'example.com'}`;
    contactIds.push((await contacts.upsert({ email })).id);
  }
  await lists.membersAdd({ listId, contactIds });
  await suppressions.create({ email: 'reader5@example.com' });
  const draft = async (name: string, fields: object = {}) => {
    const given = { name, templateKey: 'news', audience: { include: [{ listId }] }, ...fields };
    return (await broadcasts.create(given)).broadcastId;
  };
  const settle = async () => {
    for (let round = 0; round < 4; round += 1) {
      await bench.drain();
      bench.advanceClock(1_000);
    }
  };
  /** A broadcast that was sent, with opens, clicks and bounces. */
  const sent = async (name: string, fields: object = {}) => {
    const broadcastId = await draft(name, fields);
    await broadcasts.schedule({ broadcastId });
    await settle();
    const workspace = await service.workspaces.read(workspaceId);
    const links = ['https://shop.example/chairs?a=1&b=<2>', 'https://shop.example/tables'];
    await inWorkspace(service.core, workspace, (ctx) => writeSampleReport(ctx, broadcastId, links));
    return broadcastId;
  };
  const calls = service.as(workspaceId);
  return { bench, ask: pageRequester(service, '/broadcasts-console'), draft, sent, settle, calls };
}

const test = suiteInBrowser<{ browser: Browser }>('the page of broadcasts', {
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
  test(`in ${colorScheme} the keyboard leads from the list to the recipients, without a script, from wide to 320 px`, async ({
    browser,
  }) => {
    const { bench, sent, draft } = await openBench();
    await sent('<i>Spring</i> news');
    await draft('Summer news');
    const options = { colorScheme, viewport: { width: 1280, height: 900 } };
    await visitUnderBasePath(browser, bench, options, async ({ page, origin, pageErrors }) => {
      for (const width of [1280, 820, 390, 320]) {
        await page.setViewportSize({ width, height: 800 });
        await page.goto(`${origin}/broadcasts-console`);
        assert.is(await page.title(), 'Broadcasts · Postrider');
        assert.is(await page.locator('script').count(), 0);
        const check = async (step: string) => {
          assert.equal(await inPage(page, lowContrastTexts), [], step);
          assert.ok((await inPage<number>(page, overflow)) <= 0, `${step} at ${width} px`);
          assert.equal(await inPage(page, cutTables), [], `${step} at ${width} px`);
          if (width === 1280 || width === 320) assert.equal(await accessibilityViolations(page), [], step);
          await saveScreenshot(page, `broadcasts-${step}-${colorScheme}-${width}`);
        };
        const follow = async (name: string | RegExp, heading: string) => {
          await page.getByRole('link', { name }).first().focus();
          await page.keyboard.press('Enter');
          await page.getByRole('heading', { level: 1, name: heading }).waitFor();
        };
        await check('list');
        await follow('<i>Spring</i> news', '<i>Spring</i> news');
        await until(page, `${unseenPictures} === 0 && document.images.length === 3`);
        await page.locator('summary').first().focus();
        await page.keyboard.press('Enter');
        await page.getByRole('table', { name: 'By hour' }).waitFor();
        await check('report');
        await follow(/^Left out 1/, 'Recipients');
        assert.match(await page.locator('table').innerText(), /reader5@example\.com[\s\S]*Unsubscribed from marketing/);
        await check('recipients');
        await follow('Reputation', 'Reputation');
        await check('reputation');
      }
      assert.equal(pageErrors, []);
    });
  });

test('the report has the figures of the broadcast, why contacts were left out, and escapes its texts', async () => {
  const { bench, ask, sent, calls } = await openBench();
  const broadcastId = await sent('<i>Spring</i> news');
  const at = `?workspace=${bench.workspaceId}`;
  const { counts } = await calls.broadcasts.read({ broadcastId });
  assert.ok(counts.opened > 5 && counts.clicked > 3 && counts.bounced === 1 && counts.complained === 1);
  const list = (await ask(at)).text;
  assert.match(list, '&lt;i&gt;Spring&lt;/i&gt; news');
  assert.match(list, `data-head="Recipients" class="n">${readers - 1}</td>`);
  assert.match(list, `data-head="Opened" class="n">${counts.opened}</td>`);
  const { text } = await ask(`${at}&broadcast=${broadcastId}`);
  const row = (name: string, number: number) => new RegExp(`>${name}</td><td [^>]*>${number}</td>`);
  assert.match(text, row('Audience', readers));
  assert.match(text, row('Left out', 1));
  assert.match(text, row('Accepted', readers - 1));
  assert.match(text, row('Unsubscribed from marketing mail, bounced, or complained', 1));
  for (const fact of ['Opened', 'Clicked', 'Bounced', 'Complained', 'Unsubscribed'] as const)
    assert.match(text, row(fact, counts[fact.toLowerCase() as 'opened']));
  assert.match(text, 'https://shop.example/chairs?a=1&amp;b=&lt;2&gt;');
  assert.match(text, 'example.org');
  assert.is(text.match(/src="data:image\/svg\+xml;base64,/g)?.length, 3);
  const [, hours = ''] = /base64,([^"]+)"/.exec(text) ?? [];
  assert.match(Buffer.from(hours, 'base64').toString(), /^<svg [^>]*role="img"/);
  const people = (await ask(`${at}&broadcast=${broadcastId}&recipients=accepted`)).text;
  assert.match(people, 'reader0@example.org');
  assert.not.match(people, 'reader5@example.com');
  await bench.close();
});

test('the variants of an experiment are a chart and a table', async () => {
  const { bench, ask, sent, calls } = await openBench();
  const variants = [{ name: '<b>Short</b>' }, { name: 'Long', subject: 'All the news of this spring' }];
  const experiment = { variants, samplePercent: 100, metric: 'human_opens', decideAfter: 'PT1H', minimum: 5 };
  const broadcastId = await sent('Spring news', { experiment });
  const { byVariant } = await calls.broadcasts.report({ broadcastId });
  assert.is(
    byVariant.reduce((sum, { accepted }) => sum + accepted, 0),
    readers - 1,
  );
  const { text } = await ask(`?workspace=${bench.workspaceId}&broadcast=${broadcastId}`);
  assert.match(text, '&lt;b&gt;Short&lt;/b&gt;');
  assert.not.match(text, '<b>Short</b>');
  const [first = '', ...others] = [...text.matchAll(/base64,([^"]+)"/g)].map(([, picture = '']) =>
    Buffer.from(picture, 'base64').toString(),
  );
  assert.is(others.length, 3);
  for (const { variant, accepted, opened, clicked } of byVariant) {
    const shown = variant.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    assert.ok(accepted > opened && opened > 0);
    assert.match(first, `${shown}: ${opened} of ${accepted}`);
    assert.match(first, `>${Number(((opened / accepted) * 100).toFixed(2))} %<`);
    const cells = text.slice(text.indexOf('<caption>By variant')).split('</tr>');
    const row = cells.find((one) => one.includes(`>${shown}</td>`)) ?? '';
    for (const [head, number] of [
      ['Accepted', accepted],
      ['Opened', opened],
      ['Clicked', clicked],
    ])
      assert.match(row, `data-head="${head}" class="n">${number}</td>`);
  }
  await bench.close();
});

test('a draft, a scheduled, a paused and a waiting broadcast say what is to do', async () => {
  const { bench, ask, draft, calls, settle } = await openBench();
  const at = `?workspace=${bench.workspaceId}`;
  const shown = async (broadcastId: string) => (await ask(`${at}&broadcast=${broadcastId}`)).text;
  const empty = await calls.broadcasts.create({ name: 'Idea' });
  assert.match(await shown(empty.broadcastId), /Draft<[\s\S]*No template yet, no audience yet/);
  const later = await draft('Later', { sendAt: '2026-06-01T09:00', timezone: 'Europe/Vienna' });
  await calls.broadcasts.schedule({ broadcastId: later });
  assert.match(await shown(later), /Scheduled<[\s\S]*2026-06-01 09:00 Europe\/Vienna/);
  const slow = await draft('Slow', { pace: { perHour: 60 } });
  await calls.broadcasts.schedule({ broadcastId: slow });
  await settle();
  await calls.broadcasts.pause({ broadcastId: slow });
  assert.match(await shown(slow), /Paused<[\s\S]*Somebody paused it/);
  await calls.approvals.policySet({ surfaceKind: 'broadcast', required: true });
  const held = await draft('Held');
  const asked = await bench.request(`/v1/broadcasts/${held}/schedule`, { body: {} });
  assert.is(asked.status, 202);
  assert.match(await shown(held), 'It waits for a decision');
  assert.match((await ask(at)).text, 'waits for a decision');
  await bench.close();
});

test('while marketing mail is held, each view says why and leads to what to do', async () => {
  const { bench, ask, sent } = await openBench();
  const broadcastId = await sent('Spring news');
  const at = `?workspace=${bench.workspaceId}`;
  assert.not.match((await ask(at)).text, 'class="warning"');
  const workspace = await bench.service.workspaces.read(bench.workspaceId);
  const note = 'Hard bounces in 1 hour: 30 of 100 mails.';
  await inWorkspace(bench.service.core, workspace, async ({ trx, now, newId }) => {
    await stateRows.upsert(trx, { ...initialState, state: 'held' }, ['category'], { state: 'held' });
    await historyRows.insert(trx, { id: newId('rhi'), state: 'held', changed_by: 'system', note, created_at: now });
  });
  for (const rest of [at, `${at}&broadcast=${broadcastId}`, `${at}&broadcast=${broadcastId}&recipients=all`])
    assert.match((await ask(rest)).text, /Marketing mail is held\. Hard bounces in 1 hour: 30 of 100 mails\./, rest);
  const { text } = await ask(`${at}&view=reputation`);
  assert.match(text, /Held<[\s\S]*a member of the workspace releases the hold/);
  assert.match(text, /data-head="By">the guard</);
  await bench.close();
});

test('the list can be narrowed to a status, and is paginated', async () => {
  const { bench, ask, draft, calls } = await openBench();
  for (let number = 0; number < 53; number += 1) {
    bench.advanceClock(1_000);
    await draft(`Letter ${number}`);
  }
  const later = await draft('Later', { sendAt: '2026-06-01T09:00:00Z' });
  await calls.broadcasts.schedule({ broadcastId: later });
  const at = `?workspace=${bench.workspaceId}&side=live`;
  const namesIn = (text: string) =>
    [...text.matchAll(/broadcast=brc_\w+" dir="auto">([^<]+)</g)].map(([, name]) => name);
  const first = (await ask(at)).text;
  assert.equal([namesIn(first).length, namesIn(first)[0]], [50, 'Later']);
  assert.match(first, '>Draft 53</a>');
  assert.match(first, '>Scheduled 1</a>');
  const [, next = ''] = /rel="next" href="([^"]+)"/.exec(first) ?? [];
  const second = (await ask(next.replaceAll('&amp;', '&'))).text;
  assert.equal(namesIn(second), ['Letter 3', 'Letter 2', 'Letter 1', 'Letter 0']);
  assert.match(second, '>First page</a>');
  assert.equal(namesIn((await ask(`${at}&status=scheduled`)).text), ['Later']);
  assert.match((await ask(`${at}&status=paused`)).text, 'No broadcast has this status.');
  assert.match((await ask(`${at}&after=x`)).text, 'cursor_invalid');
  await bench.close();
});

test('the page respects the sign-in, is local without one, and shows no other workspace and no other side', async () => {
  const { bench, ask, draft } = await openBench();
  const broadcastId = await draft('Spring news');
  const foreign = `workspace=${bench.foreignWorkspaceId}`;
  for (const more of ['', '&recipients=all']) {
    assert.match((await ask(`?${foreign}&broadcast=${broadcastId}${more}`)).text, 'broadcast_not_found');
    const sandbox = `?workspace=${bench.workspaceId}&side=sandbox&broadcast=${broadcastId}${more}`;
    assert.match((await ask(sandbox)).text, 'broadcast_not_found');
  }
  assert.not.match((await ask(`?${foreign}`)).text, 'Spring news');
  assert.not.match((await ask(`?workspace=${bench.workspaceId}&side=sandbox`)).text, /Spring news|Draft \d/);
  assert.match((await ask('', { host: 'evil.example' })).text, 'broadcasts_console_not_local');
  assert.match((await ask('', { origin: 'https://evil.example' })).text, 'broadcasts_console_cross_site');
  const gone = `?workspace=${bench.workspaceId}&broadcast=brc_01ARZ3NDEKTSV4RRFFQ69G5FAV`;
  const page = await ask(gone, { accept: 'text/html,*/*;q=0.8' });
  assert.is(page.status, 404);
  assert.match(page.text, '<h1>Not here</h1>');
  assert.not.match(page.text, '/v1/');
  await bench.close();
  const guarded = await openBench({
    console: { authorize: ({ cookies }) => (cookies.ok ? { workspaces: [] } : undefined) },
  });
  assert.match((await guarded.ask('')).text, 'broadcasts_console_access_denied');
  const refused = await guarded.ask(`?workspace=${guarded.bench.workspaceId}`, { cookie: 'ok=1' });
  assert.match(refused.text, 'workspace_not_found');
  await guarded.bench.close();
  const without = await openBench({});
  assert.is((await without.ask('')).status, 404);
  await without.bench.close();
});

test.run();

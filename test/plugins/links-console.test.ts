// time-limit: 120
// The page of links: who sees what, and its appearance and behaviour in a real browser, behind a base path, in light, dark and
// narrow. If POSTRIDER_TEST_SCREENSHOTS=FOLDER is set, screenshots are stored there.
// full-run: browser
import { readFile } from 'node:fs/promises';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { inWorkspace } from '../../core/unstable.ts';
import { createTestService } from '../../hosts/testing/index.ts';
import { assets } from '../../plugins/links/assets.gen.ts';
import { assetsFile } from '../../plugins/links/browser/build.ts';
import { linksPlugin } from '../../plugins/links/index.ts';
import { writeSampleClicks } from '../../plugins/links/sample-clicks.ts';
import { pageRequester, saveScreenshot, visitUnderBasePath } from '../support/console-visit.ts';
import { inPage, lowContrastTexts, overflow, until } from '../support/inbox-visit.ts';
import { openBrowser, suiteInBrowser } from '../support/page-browser.ts';

/** A service with two live links, one sandbox link, and sixty days of clicks. */
async function openBench(options: Parameters<typeof linksPlugin>[0] = { console: {} }) {
  const bench = await createTestService({ plugins: [linksPlugin(options)], startAt: Date.UTC(2026, 4, 20, 12) });
  const { service, workspaceId } = bench;
  const plain = await service.as(workspaceId, { sandbox: true }).links.create({
    destinationUrl: 'https://example.com/try',
    slug: 'try',
  });
  bench.advanceClock(1_000);
  const link = await service.as(workspaceId).links.create({
    destinationUrl: `https://example.com/spring-sale?${'long'.repeat(40)}`,
    slug: 'spring',
    label: '<b>Spring</b> sale',
    utm: { source: 'newsletter', campaign: 'spring' },
  });
  const workspace = await service.workspaces.read(workspaceId);
  await inWorkspace(service.core, workspace, async (ctx) =>
    writeSampleClicks(ctx, { id: link.linkId, utm: link.utm, sandbox: false }, 60, 6),
  );
  await bench.drain();
  const ask = pageRequester(service, '/links-console');
  return { bench, ask, link, plain };
}

const test = suiteInBrowser<{ browser: Browser }>('the page of links', {
  title: 'without a browser, the page answers 200',
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

async function visiting(
  browser: Browser,
  work: (page: Page, url: string) => Promise<void>,
  options: BrowserContextOptions = { viewport: { width: 1280, height: 900 } },
): Promise<void> {
  const { bench } = await openBench();
  await visitUnderBasePath(browser, bench, options, async ({ page, origin, pageErrors }) => {
    await work(page, `${origin}/links-console`);
    assert.equal(
      pageErrors.filter((error) => !error.endsWith(' failed')),
      [],
    );
  });
}

const untilShown = (page: Page) => until(page, `document.querySelectorAll('.card').length > 5`);

test('the page shows the newest link with its charts, and other links when they are chosen', ({ browser }) =>
  visiting(browser, async (page, url) => {
    await page.goto(url);
    await untilShown(page);
    assert.is(await page.title(), '<b>Spring</b> sale · Links · Postrider');
    assert.is(await page.locator('h2').innerText(), '<b>Spring</b> sale');
    assert.is(await page.locator('.timeline .day').count(), 30);
    await page.getByRole('button', { name: '7 days' }).click();
    await until(page, `document.querySelectorAll('.timeline .day').length === 7`);
    assert.match(page.url(), /days=7/);
    await page.getByRole('status').getByText('<b>Spring</b> sale, 7 days.').waitFor();
    await page.getByText('The counts as a table').press('Enter');
    assert.is(await page.getByRole('row').count(), 8);
    assert.match(await page.getByRole('row').nth(7).innerText(), /May 20, 2026\s+\d+\s+\d+/);
    await page.getByRole('button', { name: /try 0 clicks.*Active ?, Sandbox/ }).waitFor();
    assert.match(await page.locator('.cards').innerText(), /Countries[\s\S]*AT[\s\S]*Referrers[\s\S]*direct/);
    await page.getByRole('button', { name: /try/ }).click();
    await page.getByText('No clicks in these days yet.').waitFor();
    await page.goBack();
    await untilShown(page);
    await page.getByRole('searchbox').fill('TRY');
    await page.keyboard.press('Tab');
    await until(page, `document.querySelectorAll('.links li').length === 1`);
    await page.getByText('1 link found.').waitFor();
    assert.match(await inPage<string>(page, 'document.activeElement.textContent'), 'try');
  }));

test('Back to the address of the first visit, which names no workspace, shows the newest link again', ({ browser }) =>
  visiting(browser, async (page, url) => {
    await page.goto(url);
    await untilShown(page);
    await page.getByRole('searchbox').pressSequentially('no such', { delay: 60 });
    await page.getByText('No link matches.').waitFor();
    assert.not.match(await page.locator('main').innerText(), 'Create a link');
    await page.goBack();
    await untilShown(page);
    assert.is(page.url(), url);
    assert.is(await page.locator('.links li').count(), 2);
    assert.is(await page.locator('h2').innerText(), '<b>Spring</b> sale');
  }));

test('the address of a missing link reports it, and shows no other link', async ({ browser }) => {
  const { bench } = await openBench();
  const options = { viewport: { width: 1280, height: 900 } };
  await visitUnderBasePath(browser, bench, options, async ({ page, origin, pageErrors }) => {
    await page.goto(`${origin}/links-console?link=lnk_gone`);
    await page.getByText('There is no link lnk_gone, or it was deleted.').waitFor();
    assert.is(await page.locator('[aria-current=true]').count(), 0);
    await page.getByRole('button', { name: /sale/ }).click();
    await untilShown(page);
    assert.is(pageErrors.filter((text) => text.includes('answered 404')).length, 1);
  });
});

for (const colorScheme of ['light', 'dark'] as const)
  test(`in ${colorScheme} every text is readable, from wide to 320 px, and nothing overflows`, ({ browser }) =>
    visiting(
      browser,
      async (page, url) => {
        for (const width of [1280, 320]) {
          await page.setViewportSize({ width, height: 800 });
          await page.goto(url);
          await untilShown(page);
          assert.equal(await inPage(page, lowContrastTexts), []);
          assert.ok((await inPage<number>(page, overflow)) <= 0, `${width} px`);
          await saveScreenshot(page, `links-${colorScheme}-${width}`);
        }
      },
      { colorScheme, viewport: { width: 1280, height: 900 } },
    ));

test('its files are fresh (npx tsx plugins/links/browser/build.ts), and small', async () => {
  assert.is(await readFile('plugins/links/assets.gen.ts', 'utf8'), await assetsFile());
  for (const [name, { body }] of Object.entries(assets)) assert.ok(Buffer.byteLength(body) < 40_000, name);
});

test('the page shows the workspaces that the sign-in allows, only this machine without a sign-in, and is off by default', async () => {
  const { bench, ask, link } = await openBench();
  const at = `workspace=${bench.workspaceId}`;
  assert.is((await ask(`/links?${at}`)).status, 200);
  assert.is((await ask(`/links/${link.linkId}?${at}`)).status, 200);
  assert.match((await ask(`/links/${link.linkId}?workspace=${bench.foreignWorkspaceId}`)).text, 'link_not_found');
  assert.match((await ask(`/links?${at}`, { host: 'evil.example' })).text, 'links_console_not_local');
  assert.match((await ask(`/links?${at}`, { origin: 'https://evil.example' })).text, 'links_console_cross_site');
  await bench.close();
  const guarded = await openBench({
    console: { authorize: ({ cookies }) => (cookies.ok ? { workspaces: [] } : undefined) },
  });
  assert.match((await guarded.ask(`/links?${at}`)).text, 'links_console_access_denied');
  const foreign = await guarded.ask(`/links?workspace=${guarded.bench.workspaceId}`, { cookie: 'ok=1' });
  assert.match(foreign.text, 'workspace_not_found');
  await guarded.bench.close();
  const without = await openBench({});
  assert.is((await without.ask('')).status, 404);
  await without.bench.close();
});

test.run();

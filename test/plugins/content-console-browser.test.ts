// time-limit: 300
// The overview and the pages of content and settings in a real browser below a base path: wide and narrow, light and dark, with every
// form open. With POSTRIDER_TEST_SCREENSHOTS=FOLDER it saves screenshots there.
// full-run: browser
import type { Browser } from 'playwright-core';
import * as assert from 'uvu/assert';
import { smtpConnector } from '../../adapters/mail/smtp-connector.ts';
import { createFixtureKit } from '../../hosts/testing/fixture-kit.ts';
import { someNews } from '../../plugins/content-plan/news/schema.ts';
import { awaitingRun } from '../../plugins/content-plan/operations/fixture-rows.ts';
import { brokenCreation } from '../../plugins/creations/operations/fixture-rows.ts';
import { png } from '../support/asset-files.ts';
import { accessibilityViolations } from '../support/axe.ts';
import { browserHeaders, openConsoleBench } from '../support/console-bench.ts';
import { saveScreenshot, visitUnderBasePath } from '../support/console-visit.ts';
import { writePage } from '../support/fill-placeholders.ts';
import { inPage, lowContrastTexts, overflow } from '../support/inbox-visit.ts';
import { openBrowser, suiteInBrowser } from '../support/page-browser.ts';

/** Opens a bench with data for each page, and returns the paths of these pages. */
async function openFilled() {
  const bench = await openConsoleBench({
    members: [{ uid: 'u_ada', name: 'Ada', email: 'ada@example.com', role: 'owner' }],
    providers: [smtpConnector()],
  });
  const { calls, workspaceId } = bench;
  const brand = await calls.brand.create({ name: 'Bakery', themes: [{ name: 'Winter' }] });
  const page = await calls.pages.create({ brief: 'A page for our course.', slug: 'course', length: 'short' });
  const unwritten = await calls.pages.create({ brief: 'A page for our bread.', slug: 'bread' });
  const magnet = await calls.leadMagnets.create({
    title: 'Sourdough in six evenings',
    chapters: [{ heading: 'The starter', text: 'Flour and water.' }],
  });
  const post = await calls.blog.create({ title: 'Rye', body: 'Bread takes time. '.repeat(40), tags: ['bread'] });
  const design = await calls.designs.create({ name: 'Header', brief: 'A header for the course.' });
  const asset = await calls.assets.create({ name: 'Bread', dataBase64: png(4, 6).toString('base64'), alt: 'A loaf' });
  await bench.drain();
  await writePage(calls, page.id);
  await calls.pages.publish({ idOrSlug: page.id });
  await calls.pages.update({ idOrSlug: page.id, title: 'Second' });
  await calls.pages.publish({ idOrSlug: page.id });
  await bench.service.connectors.create(workspaceId, {
    kind: 'mail',
    provider: 'smtp',
    name: 'Own server',
    credentials: { user: 'acme', pass: 'secret-word' },
    options: { host: 'smtp.acme.example', port: 587 },
  });
  const kit = createFixtureKit(bench);
  await someNews(kit, workspaceId);
  const { creationId } = await brokenCreation(kit, workspaceId);
  const paths = [
    ...['overview', 'pages', `pages/${page.id}`, `pages/${page.id}/submissions`, `pages/${unwritten.id}`],
    ...['brand', `brand/${brand.id}`, 'members', 'plan', 'connectors', 'sms'],
    ...['assets', `assets/${asset.assetId}`, 'blog', `blog/${post.id}`],
    ...['lead-magnets', `lead-magnets/${magnet.id}`, 'designs', `designs/${design.compositionId}`],
    ...['creations', `creations/${creationId}`],
    ...['content-plan', `content-plan/${await awaitingRun(kit, workspaceId)}`, 'market-news'],
  ];
  return { ...bench, paths };
}

const test = suiteInBrowser<{ browser: Browser }>('the content in a browser', {
  title: 'the server returns the overview',
  async run() {
    const bench = await openConsoleBench();
    assert.is((await bench.page('/overview', browserHeaders)).status, 200);
    await bench.close();
  },
});

test.before(async (context) => {
  context.browser = await openBrowser();
});
test.after(({ browser }) => browser.close());

for (const [colorScheme, widths] of [
  ['light', [1280, 320]],
  ['dark', [768]],
] as const)
  test(`in ${colorScheme} every page fits and can be read, at ${widths.join(' and ')} px`, async ({ browser }) => {
    const bench = await openFilled();
    await visitUnderBasePath(browser, bench, { colorScheme }, async ({ page, origin, pageErrors }) => {
      for (const path of bench.paths) {
        await page.goto(`${origin}/console/${bench.workspaceId}/${path}`);
        await inPage(page, "document.querySelectorAll('main details').forEach((one) => { one.open = true })");
        for (const width of widths) {
          await page.setViewportSize({ width, height: 800 });
          assert.equal(await accessibilityViolations(page), [], `${path} at ${width} px`);
          assert.equal(await inPage(page, lowContrastTexts), [], `${path} at ${width} px`);
          assert.ok((await inPage<number>(page, overflow)) <= 0, `${path} at ${width} px`);
          await saveScreenshot(page, `content-${path.split('/')[0]}-${path.split('/').length}-${colorScheme}-${width}`);
        }
      }
      assert.equal(pageErrors, []);
    });
  });

test('an editor goes from the overview to a page, fills its placeholders, and publishes it', async ({ browser }) => {
  const bench = await openConsoleBench();
  await bench.calls.brand.create({ name: 'Bakery' });
  await bench.calls.pages.create({ brief: 'A page for our course.', slug: 'course', length: 'short' });
  await bench.drain();
  const options = { javaScriptEnabled: false, viewport: { width: 1280, height: 800 } };
  await visitUnderBasePath(browser, bench, options, async ({ page, origin, pageErrors }) => {
    await page.goto(`${origin}/console`);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.getByRole('link', { name: 'Create a webhook' }).waitFor();
    await page.locator('.rail').getByRole('link', { name: 'Pages' }).click();
    await page.getByRole('table').getByRole('link').first().click();
    for (const field of await page.locator('textarea[name^="sections."], textarea[name^="title:"]').all())
      await field.fill('Bread with a crust.');
    await page.getByRole('button', { name: 'Store these texts' }).click();
    await page.getByText('The texts were stored in the working copy.').waitFor();
    await page.locator('summary').getByText('Publish').click();
    await page.getByRole('button', { name: 'Publish the page' }).click();
    await page.getByText('Visitors see version 1.').waitFor();
    assert.equal(pageErrors, []);
  });
});

test.run();

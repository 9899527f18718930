// Public pages in a real browser: a page with every kind of section, wide and narrow, in light and dark.
// time-limit: 180
// full-run: browser
import type { Server } from 'node:http';
import type { Browser } from 'playwright-core';
import * as assert from 'uvu/assert';
import { createTestService, type TestService } from '../../hosts/testing/index.ts';
import { png } from '../support/asset-files.ts';
import { accessibilityViolations } from '../support/axe.ts';
import { closeServer, portOf, serveBelow } from '../support/based-server.ts';
import { lowContrastTexts, overflow } from '../support/inbox-visit.ts';
import { openBrowser, openPage, suiteInBrowser } from '../support/page-browser.ts';
import { everySection } from '../support/page-sections.ts';
import { bareStandardPlugins } from '../support/plugins.ts';
import { visit } from '../support/tracked-mail.ts';

type Ids = (typeof bareStandardPlugins)[number]['id'];
const host = 'pages.localhost';

interface Context {
  readonly browser: Browser;
  readonly bench: TestService<Ids>;
  readonly server: Server;
  readonly url: string;
  readonly preview: string;
  readonly assetId: string;
}

async function open(): Promise<Omit<Context, 'browser'>> {
  const bench = await createTestService<Ids>({ publicUrl: 'http://127.0.0.1', plugins: bareStandardPlugins });
  const { assets, brand, pages } = bench.service.as(bench.workspaceId);
  await brand.create({
    name: 'Acme bakery',
    palette: { primary: '#ffd54a', text: '#888888', background: '#fffdf5', accent: '#0b6e4f' },
  });
  const { assetId } = await assets.create({
    name: 'loaf.png',
    alt: 'A loaf',
    dataBase64: png(120, 80).toString('base64'),
  });
  const { id } = await pages.create({ brief: 'A page for our course.', slug: 'course', length: 'short' });
  await bench.drain();
  await bench.service.workspaces.update(bench.workspaceId, { contentHost: host });
  await pages.update({ idOrSlug: id, sections: everySection(assetId) as never });
  const { url, previewUrl } = await pages.publish({ idOrSlug: id });
  const server = await serveBelow('', bench.service);
  const localUrl = (address: string | null) =>
    (address ?? '').replace(`https://${host}/`, `http://${host}:${portOf(server)}/`);
  return { bench, server, url: localUrl(url), preview: localUrl(previewUrl), assetId };
}

const test = suiteInBrowser<Context>('public pages in a browser', {
  title: 'the server returns a page with every kind of section',
  run: async () => {
    const { bench, server, url } = await open();
    assert.is((await visit(bench, new URL(url).pathname, { headers: { host } })).status, 200);
    await closeServer(server);
    await bench.close();
  },
});

test.before(async (context) => {
  Object.assign(context, await open(), { browser: await openBrowser() });
});
test.after(async ({ browser, server, bench }) => {
  await browser.close();
  await closeServer(server);
  await bench.close();
});

/** The distance in pixels between each button and the element above it. */
const buttonGaps = `[...document.querySelectorAll('.action')].map((one) =>
  one.getBoundingClientRect().top - one.previousElementSibling.getBoundingClientRect().bottom)`;

// The images of this page fail to load, because their port is not known when the service is created.
const isUnexpected = (error: string): boolean =>
  /Content Security Policy/i.test(error) || !/\/media\/|favicon|CONNECTION_REFUSED/.test(error);

for (const [name, width, scheme] of [
  ['wide and light', 1280, 'light'],
  ['wide and dark', 1280, 'dark'],
  ['a phone', 390, 'light'],
  ['the narrowest', 320, 'dark'],
] as const)
  test(`a page with every kind of section can be read and fits, ${name}`, async ({ browser, url }) => {
    const options = { viewport: { width, height: 900 }, colorScheme: scheme } as const;
    const { page, pageErrors } = await openPage(browser, options);
    await page.goto(url);
    assert.is(await page.evaluate(overflow), 0, 'the page is wider than the window');
    assert.equal(await page.evaluate(lowContrastTexts), []);
    assert.equal(await accessibilityViolations(page), []);
    const gaps = (await page.evaluate(buttonGaps)) as number[];
    assert.ok(gaps.length > 1 && gaps.every((gap) => gap >= 24), `a button is too close to the text above it: ${gaps}`);
    assert.match(
      await page.locator('.countdown').innerText(),
      /^(\d+ d )?\d\d:\d\d:\d\d$/,
      'the script counts the visit',
    );
    assert.equal(pageErrors.filter(isUnexpected), []);
    await page.context().close();
  });

for (const width of [1280, 320])
  test(`a page in Arabic reads from right to left, ${width} pixels wide`, async ({ browser, bench, url, assetId }) => {
    const { pages } = bench.service.as(bench.workspaceId);
    const { id } = await pages.create({ brief: 'صفحة لدورتنا في الخبز.', slug: `arabic-${width}`, length: 'short' });
    await bench.drain();
    await pages.update({ idOrSlug: id, metadata: { language: 'ar' }, sections: everySection(assetId) as never });
    await pages.publish({ idOrSlug: id });
    const { page } = await openPage(browser, { viewport: { width, height: 900 } });
    await page.goto(url.replace('/course', `/arabic-${width}`));
    assert.is(await page.evaluate('getComputedStyle(document.documentElement).direction'), 'rtl');
    assert.is(await page.evaluate(overflow), 0, 'the page is wider than the window');
    assert.equal(await accessibilityViolations(page), []);
    await page.keyboard.press('Tab');
    const skip = await page.locator('.skip').boundingBox();
    assert.ok(skip !== null && skip.width > 50 && skip.x + skip.width <= width, 'the link to the content is hidden');
    await page.context().close();
  });

test('a preview is labelled as a preview, and its forms are disabled', async ({ browser, preview }) => {
  const { page } = await openPage(browser);
  await page.goto(preview);
  assert.match(await page.locator('.notice').innerText(), 'preview');
  assert.equal(await accessibilityViolations(page), []);
  assert.is(await page.locator('fieldset[disabled]').count(), 3);
  await page.context().close();
});

test('links use the accent colour of the brand if it is legible', async ({ browser, url }) => {
  const { page } = await openPage(browser, { colorScheme: 'light' });
  await page.goto(url);
  const accent = "getComputedStyle(document.documentElement).getPropertyValue('--accent')";
  assert.is(await page.evaluate(accent), '#0b6e4f');
  await page.context().close();
});

test('heading levels are in order, even without headings or with the hero last', async ({ browser, bench, url }) => {
  const { pages } = bench.service.as(bench.workspaceId);
  const { id } = await pages.create({ brief: 'A page for our bread.', slug: 'bread', length: 'short' });
  await bench.drain();
  const features = { kind: 'features', items: [{ title: 'Rye', text: 'Dark.\n\n## Crust\n\nThick.' }] };
  const hero = { kind: 'hero', heading: 'Bread for all' };
  const { page } = await openPage(browser);
  const levels = "[...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].map((one) => Number(one.tagName[1]))";
  for (const [sections, expectedLevels] of [
    [
      [features, { kind: 'richtext', heading: 'Flour', text: 'Ours.' }, hero],
      [1, 2, 3, 2, 2],
    ],
    [
      [hero, features],
      [1, 2, 3],
    ],
    [[features], [1, 2, 3]],
    [[{ kind: 'richtext', text: '## Rye\n\nDark.' }], [1, 2]],
  ] as const) {
    await pages.update({ idOrSlug: id, sections: sections as never });
    await pages.publish({ idOrSlug: id });
    // The query is different each time, because the browser caches the page for a minute.
    await page.goto(`${url.replace('/course', '/bread')}?round=${sections.length}${expectedLevels.length}`);
    assert.equal(await page.evaluate(levels), expectedLevels);
    assert.equal(await accessibilityViolations(page), []);
  }
  await page.context().close();
});

test('a video is a link until it is clicked and then becomes a frame of the video host', async ({ browser, url }) => {
  const { page } = await openPage(browser);
  await page.goto(url);
  assert.is(await page.locator('iframe').count(), 0);
  await page.locator('.play').click();
  assert.match(
    (await page.locator('.video iframe').getAttribute('src')) ?? '',
    /^https:\/\/www\.youtube-nocookie\.com\/embed\//,
  );
  await page.context().close();
});

test.run();

// The reference page in a browser, behind a base path: search, navigation, copying, stored choices, and no errors in the console.
// time-limit: 240
// full-run: browser
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { createTestService, type TestService } from '../../hosts/testing/test-service.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { openBrowser, openPage, suiteInBrowser } from '../support/page-browser.ts';
import { type Served, serve } from '../support/reference-page.ts';

const test = suiteInBrowser('reference in a browser', {
  title: 'the server returns the page',
  async run() {
    const kit = await createTestService({ plugins: standardPlugins });
    const { status } = await kit.service.dispatch({ method: 'GET', url: '/docs', headers: {}, body: undefined });
    assert.is(status, 200);
    await kit.close();
  },
});
const base = '/deep/below/messaging';
const desktop = { viewport: { width: 1440, height: 900 } };
const phone = { viewport: { width: 375, height: 740 }, hasTouch: true, isMobile: true };

let bench: TestService<never>;
let server: Served;
let browser: Browser;

test.before(async () => {
  bench = (await createTestService({ plugins: standardPlugins })) as unknown as TestService<never>;
  server = await serve(bench, base);
  browser = await openBrowser();
});
test.after(async () => {
  await browser.close();
  await server.close();
  await bench.close();
});

/** Opens the page at `path`, runs `work`, and fails if the browser has reported an error. */
async function withPage(path: string, options: BrowserContextOptions, work: (page: Page) => Promise<void>) {
  const { page, pageErrors } = await openPage(browser, options);
  await page.addInitScript({
    content: `addEventListener('securitypolicyviolation', ({ blockedURI }) => console.error('policy: ' + blockedURI));`,
  });
  try {
    await page.goto(`${server.url}${path}`);
    await work(page);
    assert.equal(pageErrors, []);
  } finally {
    await page.context().close();
  }
}

const shownCode = (page: Page, id: string) => page.locator(`section[id="${id}"] .form.on pre`).first().textContent();
/** Runs a script in the page. It is a string, because the tests are not compiled for a browser. */
const inPage = <T>(page: Page, script: string): Promise<T> => page.evaluate<T>(script);
const topOf = (page: Page, id: string) =>
  inPage<number>(page, `document.getElementById(${JSON.stringify(id)}).getBoundingClientRect().top`);

test('with and without a trailing slash the page loads its files and shows its own address in examples', async () => {
  for (const path of ['/docs', '/docs/'])
    await withPage(path, desktop, async (page) => {
      assert.is(await page.title(), 'Postrider API reference');
      assert.match((await shownCode(page, 'workspace.read')) ?? '', new RegExp(`curl ${server.url}/v1/workspace`));
      const background = await inPage(page, `getComputedStyle(document.querySelector('.panel')).backgroundColor`);
      assert.is(background, 'rgb(16, 32, 26)', 'the style is applied');
    });
});

test('a deep link opens at its operation, which is marked in the contents', () =>
  withPage('/docs#templates.publish', desktop, async (page) => {
    await page.locator('nav a[aria-current][href="#templates.publish"]').waitFor();
    const top = await topOf(page, 'templates.publish');
    assert.ok(top >= 40 && top <= 80, `its top is at ${top}`);
    // There are so many operations that only the current area is unfolded.
    await page.locator('nav a[href="#area.audit"]').click();
    await page.locator('nav a[href="#audit.list"]').click();
    await page.locator('nav a[aria-current][href="#audit.list"]').waitFor();
    assert.match(page.url(), /#audit\.list$/);
  }));

test('scrolling moves the mark in the table of contents', () =>
  withPage('/docs', desktop, async (page) => {
    await page.locator('nav a[aria-current][href="#introduction"]').waitFor();
    await inPage(page, `document.getElementById('idempotency').scrollIntoView()`);
    await page.locator('nav a[aria-current][href="#idempotency"]').waitFor();
  }));

test('the search finds by name, route, tool and scope, with the keyboard alone', () =>
  withPage('/docs', desktop, async (page) => {
    for (const [words, id] of [
      ['suppress an', 'suppressions.create'],
      ['/v1/audit', 'audit.list'],
      ['recent_audit', 'audit.list'],
      ['key_rate_limit', 'error.key_rate_limit'],
      ['suppressions:bypass', 'scope.suppressions:bypass'],
      ['send.bounced', 'event.send.bounced'],
      ['429', 'error.address_rate_limit'],
      ['whyNotSent', 'object.Send'],
      ['webhook signature', 'webhook-signatures'],
      ['verify webhook signature', 'webhook-signatures'],
      ['signature', 'webhook-signatures'],
      ['which scope send', 'scopes'],
      ['suppress somebody', 'suppressions.create'],
    ] as const) {
      await page.keyboard.press('/');
      await page.keyboard.type(words);
      await page.locator('#results li[aria-selected="true"]').waitFor();
      await page.keyboard.press('Enter');
      await page.waitForURL((url) => url.hash === `#${id}`);
      const top = await topOf(page, id);
      assert.ok(top >= 0 && top < 900, `the top of ${id} is at ${top}`);
      const hasFocus = `document.getElementById(${JSON.stringify(id)}).contains(document.activeElement)`;
      assert.ok(await inPage(page, hasFocus), `the focus is at ${id}`);
    }
    await page.keyboard.press('/');
    await page.keyboard.type('xylophone');
    assert.is(await page.locator('#results').innerText(), 'Nothing found.');
    assert.is(await page.getByRole('status').textContent(), 'Nothing found.');
    await page.keyboard.press('Escape');
    assert.not.ok(await page.locator('#results').isVisible());
    assert.is(await page.locator('search input').inputValue(), '');
  }));

test('j and k move between sections, but not while somebody types', () =>
  withPage('/docs#sends.list', desktop, async (page) => {
    const current = (id: string) => page.locator(`nav a[aria-current][href="#${id}"]`).waitFor();
    await current('sends.list');
    await page.keyboard.press('j');
    await current('sends.statistics');
    await page.keyboard.press('k');
    await current('sends.list');
    await page.keyboard.press('/');
    await page.keyboard.type('jk');
    assert.match(page.url(), /#sends\.list$/);
  }));

test('a chosen example form is selected in all sections and after a reload', () =>
  withPage('/docs#email.send', desktop, async (page) => {
    await page.locator('section[id="email.send"]').getByRole('tab', { name: 'In process' }).click();
    assert.match((await shownCode(page, 'email.send')) ?? '', /^const answer = await service\.as\(workspaceId\)/);
    assert.match((await shownCode(page, 'templates.create')) ?? '', /service\.as\(workspaceId\)\.templates\.create/);
    await page.keyboard.press('ArrowRight');
    assert.match((await shownCode(page, 'email.send')) ?? '', /"name": "send_transactional"/);
    await page.reload();
    assert.match((await shownCode(page, 'email.send')) ?? '', /"name": "send_transactional"/);
  }));

test('the copy button copies the shown example', () =>
  withPage('/docs#sends.list', { ...desktop, permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
    const panel = page.locator('section[id="sends.list"] .panel').first();
    await panel.getByRole('button', { name: 'Copy' }).click();
    await panel.getByRole('button', { name: 'Copied' }).waitFor();
    const clipboard = await inPage<string>(page, `navigator.clipboard.readText()`);
    assert.is(clipboard, (await shownCode(page, 'sends.list')) ?? '');
    assert.match(clipboard, new RegExp(`^curl '?${server.url}/v1/sends`));
  }));

test('the colours follow the system until the reader chooses', () =>
  withPage('/docs', { ...desktop, colorScheme: 'dark' }, async (page) => {
    const background = () => inPage(page, `getComputedStyle(document.body).backgroundColor`);
    assert.is(await background(), 'rgb(13, 19, 16)');
    await page.getByRole('button', { name: 'Colours: as the system' }).click();
    assert.is(await background(), 'rgb(252, 252, 250)');
    await page.reload();
    assert.is(await background(), 'rgb(252, 252, 250)');
  }));

test('on a phone the contents are a drawer, and nothing is wider than the screen', () =>
  withPage('/docs', phone, async (page) => {
    const nav = page.locator('nav');
    assert.not.ok(await nav.isVisible());
    await page.getByRole('button', { name: 'Contents' }).tap();
    await nav.locator('a[href="#area.sends"]').tap();
    await page.waitForURL(/#area\.sends$/);
    await nav.waitFor({ state: 'hidden' });
    await inPage(page, `for (const details of document.querySelectorAll('details')) details.open = true`);
    assert.is(await inPage(page, `document.documentElement.scrollWidth`), 375);
  }));

/** Texts whose contrast is too low (WCAG 2.2, 1.4.3), one text for each pair of colours */
const faintText = `(() => {
  const rgb = (value) => value.match(/[\\d.]+/g).map(Number);
  const luminance = (colour) => {
    const [r, g, b] = rgb(colour).map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (node) => {
    for (let at = node; at !== null; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at);
      if ((rgb(backgroundColor)[3] ?? 1) === 1) return backgroundColor;
    }
    throw new Error('Nothing is behind the text.');
  };
  const faint = {};
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text !== null; text = walker.nextNode()) {
    const node = text.parentElement;
    if (text.data.trim() === '' || !node.checkVisibility({ visibilityProperty: true })) continue;
    const { color, fontSize } = getComputedStyle(node);
    if (fontSize === '0px') continue;
    const background = behind(node);
    const [light, dark] = [luminance(color), luminance(background)].sort((a, b) => b - a);
    if ((light + 0.05) / (dark + 0.05) < 4.5) faint[color + ' on ' + background] = text.data.trim();
  }
  return faint;
})()`;

test('every text has enough contrast, light and dark', async () => {
  for (const colorScheme of ['light', 'dark'] as const)
    await withPage('/docs', { ...desktop, colorScheme }, async (page) => {
      assert.equal(await inPage(page, faintText), {}, colorScheme);
      await inPage(page, `document.querySelector('h1').style.color = 'rgb(120, 120, 120)'`);
      assert.is(Object.keys(await inPage<object>(page, faintText)).length, 1, 'the planted error is not found');
    });
});

test('violations of the content security policy are reported', async () => {
  const { page, pageErrors } = await openPage(browser);
  await page.goto(`${server.url}/docs`);
  await inPage(page, `document.body.append(Object.assign(document.createElement('script'), { textContent: '1' }))`);
  await inPage(page, `document.body.setAttribute('style', 'color: red')`);
  await page.context().close();
  assert.is(pageErrors.filter((text) => text.includes('Content Security Policy')).length, 2);
});

test('without scripts the page can be read as a document', () =>
  withPage('/docs', { ...desktop, javaScriptEnabled: false }, async (page) => {
    const section = page.locator('section[id="email.send"]');
    assert.is(await section.locator('.form pre').count(), 5);
    for (const form of await section.locator('.form pre').all()) assert.ok(await form.isVisible());
    assert.not.ok(await page.locator('search').isVisible());
    assert.ok(await page.locator('nav a[href="#email.send"]').isVisible());
  }));

test('the print version shows every field and every answer form, but no button', () =>
  withPage('/docs', desktop, async (page) => {
    await page.emulateMedia({ media: 'print' });
    await inPage(page, `dispatchEvent(new Event('beforeprint'))`);
    assert.is(await page.locator('details:not([open])').count(), 0);
    assert.not.ok(await page.locator('nav').isVisible());
    assert.not.ok(await page.locator('.copy').first().isVisible());
  }));

test.run();

// The documentation site: it builds, its links and anchors lead to existing targets, and its search, dark mode and
// narrow layout work in a browser.
// time-limit: 400
// full-run: long
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, extname, join, posix, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import * as assert from 'uvu/assert';
import { readSidebar } from '../../site/sidebar.ts';
import { accessibilityViolations } from '../support/axe.ts';
import { openBrowser, openPage, suiteInBrowser } from '../support/page-browser.ts';

const runFile = promisify(execFile);

let building: Promise<string> | undefined;

/** The folder of the built site. It is built once. */
function builtSite(): Promise<string> {
  building ??= (async () => {
    const folder = await mkdtemp(join(tmpdir(), 'postrider-site-'));
    const program = resolve('node_modules/vitepress/bin/vitepress.js');
    await runFile(process.execPath, [program, 'build', 'site', '--outDir', folder], {
      env: { ...process.env, NODE_ENV: 'production' },
    });
    return folder;
  })();
  return building;
}

const matchesOf = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, part = '']) => part);

/** Checks that every internal link leads to a page, and its anchor to an element. */
async function checkLinks(): Promise<void> {
  const site = await builtSite();
  const names = (await readdir(site, { recursive: true })).filter((name) => name.endsWith('.html'));
  const pages = new Map<string, { readonly ids: ReadonlySet<string>; readonly links: readonly string[] }>();
  for (const name of names) {
    const html = await readFile(join(site, name), 'utf8');
    pages.set(`/${name}`, {
      ids: new Set(matchesOf(html, /\sid="([^"]+)"/g)),
      links: matchesOf(html, /<a [^>]*?href="([^"]+)"/g),
    });
  }
  const dead: string[] = [];
  let checkedCount = 0;
  for (const [name, { links }] of pages) {
    for (const link of links.filter((target) => !/^[a-z]+:/.test(target))) {
      const [path = '', anchor] = link.split('#', 2);
      const target = path === '' ? name : posix.resolve(dirname(name), path);
      const page = pages.get(target === '/' ? '/index.html' : extname(target) === '' ? `${target}.html` : target);
      checkedCount += 1;
      const isThere = page !== undefined && (!anchor || page.ids.has(decodeURIComponent(anchor)));
      if (!isThere && !(page === undefined && (await isFile(join(site, target)))))
        dead.push(`${name} links to ${link}`);
    }
  }
  assert.equal([...new Set(dead)], []);
  assert.ok(checkedCount > 1_000, `${checkedCount} links`);
  for (const { items } of readSidebar(resolve('.')))
    for (const { link } of items) assert.ok(pages.has(link === '/' ? '/index.html' : `${link}.html`), link);
}

const isFile = (path: string): Promise<boolean> =>
  readFile(path).then(
    () => true,
    () => false,
  );

const test = suiteInBrowser<{ browser: Browser; origin: string; close: () => Promise<void> }>('documentation site', {
  title: 'the links lead to existing pages',
  run: checkLinks,
});

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

test.before(async (context) => {
  const site = await builtSite();
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const path = pathname === '/' ? '/index.html' : pathname;
    const bytes = await readFile(join(site, path)).catch(() => undefined);
    response.writeHead(bytes === undefined ? 404 : 200, {
      'content-type': types[extname(path)] ?? 'application/octet-stream',
    });
    response.end(bytes);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  context.browser = await openBrowser();
  context.close = async () => {
    await context.browser.close();
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
});

test.after(async ({ close }) => {
  await close();
  await rm(await builtSite(), { recursive: true });
});

test('the links of the site lead to existing pages and anchors', checkLinks);

test('the search finds a page by a word of its text', async ({ browser, origin }) => {
  const { page, pageErrors } = await openPage(browser, { viewport: { width: 1280, height: 900 } });
  await page.goto(`${origin}/docs/sending-email.html`);
  const box = page.locator('.VPLocalSearchBox input');
  // The page handles key presses only after its script has started.
  while (!(await box.isVisible())) {
    await page.keyboard.press('Control+k');
    await box.waitFor({ timeout: 2_000 }).catch(() => undefined);
  }
  await box.fill('send_budget_exhausted');
  await page.locator('.VPLocalSearchBox .result[href*="errors.html#402"]').click();
  await page.waitForURL(/errors\.html#402-payment-required/, { waitUntil: 'commit' });
  // The navigation cancels pages that were being preloaded.
  assert.equal(
    pageErrors.filter((text) => !text.endsWith('.js failed')),
    [],
  );
  await page.context().close();
});

test('the site has a dark mode', async ({ browser, origin }) => {
  const backgroundOf = async (colorScheme: 'light' | 'dark'): Promise<string> => {
    const { page } = await openPage(browser, { colorScheme });
    await page.goto(`${origin}/docs/concepts.html`);
    const background = await page.evaluate('getComputedStyle(document.body).backgroundColor');
    await page.context().close();
    return String(background);
  };
  assert.is(await backgroundOf('light'), 'rgb(255, 255, 255)');
  assert.is.not(await backgroundOf('dark'), 'rgb(255, 255, 255)');
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds no serious fault in text, code and tables in ${colorScheme}`, async ({ browser, origin }) => {
    for (const path of ['/', '/docs/embedding.html', '/docs/transactions.html', '/docs/command-line.html']) {
      const { page } = await openPage(browser, { colorScheme });
      await page.goto(`${origin}${path}`);
      // The search button belongs to VitePress.
      const faults = (await accessibilityViolations(page)).filter((fault) => !fault.includes('DocSearch-Button'));
      assert.equal(faults, [], path);
      assert.is(await page.locator('th:empty').count(), 0, path);
      await page.context().close();
    }
  });
}

for (const width of [1280, 390]) {
  test(`no page scrolls sideways at ${width} px`, async ({ browser, origin }) => {
    // Scripts preload other pages and do not change the layout, so they are off.
    const { page } = await openPage(browser, { viewport: { width, height: 844 }, javaScriptEnabled: false });
    const wide: string[] = [];
    for (const { items } of readSidebar(resolve('.'))) {
      for (const { link } of items) {
        await page.goto(`${origin}${link === '/' ? '/' : `${link}.html`}`);
        const over = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
        if (Number(over) > 0) wide.push(`${link}: ${String(over)} px`);
      }
    }
    assert.equal(wide, []);
    await page.context().close();
  });
}

test.run();

// The inbox in a real browser, behind a base path: a service, a server in front of it, and a watched page. For the
// browser tests of the inbox.
import type { Browser, BrowserContextOptions, FrameLocator, Locator, Page } from 'playwright-core';
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import { closeServer, portOf, serveBelow } from './based-server.ts';
import { type InboxBench, openInboxBench } from './inbox-bench.ts';
import { openBrowser, openPage, suiteInBrowser } from './page-browser.ts';

/** The path at which the service is mounted. */
export const base = '/a/b';
/** Window sizes. */
export const desktop = { viewport: { width: 1440, height: 900 } };
export const phone = { viewport: { width: 375, height: 740 }, hasTouch: true, isMobile: true };

const receipt = {
  subject: 'Receipt for {{name}}',
  body: `<!doctype html><html><head><style>body{margin:0;background:#ffffff;color:#111111}
@media (prefers-color-scheme: dark){body{background:#101010 !important;color:#eeeeee !important}}</style></head>
<body><h1>Thank you, {{name}}</h1><img src="cid:logo.png" width="20" height="20" alt="Logo">
<p><a href="https://shop.example/order?id=7">Your order</a></p><div style="height:1600px">Long</div></body></html>`,
  text: 'Thank you, {{name}}. https://shop.example/order?id=7',
};
/** An image of one pixel. */
export const logo = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
/** An inline image, and an attachment. */
export const attachments = [
  { filename: 'logo.png', content_type: 'image/png', data_base64: logo, inline: true },
  { filename: 'Invoice 7.txt', content_type: 'text/plain', data_base64: Buffer.from('Total 7').toString('base64') },
];

/** Runs a script in the page. A script is a string, because the tests are not compiled for a browser. */
export const inPage = <T>(page: Page, script: string): Promise<T> => page.evaluate<T>(script);

/** Waits until a script returns true. waitForFunction compiles strings in the page, which the policy of the page forbids. */
export async function until(page: Page, script: string, frame?: RegExp): Promise<void> {
  for (let checks = 0; checks < 400; checks += 1) {
    const target = frame === undefined ? page.mainFrame() : page.frame({ url: frame });
    // A frame that is being replaced throws an error.
    if ((await target?.evaluate<unknown>(script).catch(() => false)) === true) return;
    await page.waitForTimeout(50);
  }
  throw new Error(`The script never returned true: ${script}`);
}

/** Texts whose contrast to their background is too low (WCAG 2.2, 1.4.3) */
export const lowContrastTexts = `(() => {
  const rgb = (value) => value.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((part) => (part /= 255) <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = rgb(getComputedStyle(at).backgroundColor);
      if ((color[3] ?? 1) === 1) return color;
    }
    return [255, 255, 255];
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const pale = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    const text = node.textContent.trim();
    if (text === '' || !element.checkVisibility() || element.closest(':disabled')) continue;
    const [a, b] = [light(rgb(getComputedStyle(element).color)), light(behind(element))].sort((x, y) => y - x);
    const contrast = (a + 0.05) / (b + 0.05);
    if (contrast < 4.5) pale.push(text + ' ' + contrast.toFixed(2));
  }
  return pale;
})()`;

/** The number of pixels by which the page is wider than the window. */
export const overflow = 'document.documentElement.scrollWidth - window.innerWidth';

/** A page on its own service. */
export interface InboxVisit {
  readonly bench: InboxBench;
  readonly page: Page;
  readonly origin: string;
  /** The page's errors and failed requests so far. */
  readonly pageErrors: string[];
  /** The number of requests so far whose address contained `part` */
  count(part: string): number;
  /** Stops the server, and starts it again on the same port after `meanwhile`. */
  restart(meanwhile: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

async function visit(browser: Browser, options: BrowserContextOptions = desktop): Promise<InboxVisit> {
  const bench = await openInboxBench();
  await bench.publish('receipt', receipt);
  let server = await serveBelow(base, bench.service);
  const { page, pageErrors } = await openPage(browser, { ...options, acceptDownloads: true });
  const requestUrls: string[] = [];
  page.on('request', (request) => requestUrls.push(request.url()));
  await page.addInitScript({
    content: `addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => console.error('policy: ' + effectiveDirective + ' ' + blockedURI));`,
  });
  return {
    bench,
    page,
    origin: `http://localhost:${portOf(server)}`,
    pageErrors,
    count: (part) => requestUrls.filter((url) => url.includes(part)).length,
    async restart(meanwhile) {
      const port = portOf(server);
      await closeServer(server);
      await meanwhile();
      server = await serveBelow(base, bench.service, port);
    },
    async close() {
      await page.context().close();
      await closeServer(server);
      await bench.close();
    },
  };
}

/** Runs a visit, which must end without errors on the page. */
export async function withInboxPage(
  browser: Browser,
  options: BrowserContextOptions,
  work: (visit: InboxVisit) => Promise<void>,
) {
  await withFailingInboxPage(browser, options, async (visited) => {
    await work(visited);
    // If the end of the page interrupts a check, the page has not failed.
    assert.equal(
      visited.pageErrors.filter((error) => !error.endsWith(' failed')),
      [],
    );
  });
}

/** Runs a visit during which errors in the browser are expected: blocked images, deleted messages. */
export async function withFailingInboxPage(
  browser: Browser,
  options: BrowserContextOptions,
  work: (visit: InboxVisit) => Promise<void>,
) {
  const visited = await visit(browser, options);
  try {
    await work(visited);
  } finally {
    await visited.close();
  }
}

/** Sends a receipt, with the sandbox key by default. Returns the send's id. */
export const sendReceipt = (bench: InboxBench, name: string, key?: string): Promise<string> =>
  bench.send('receipt', { to: `${name.toLowerCase()}@example.com`, variables: { name }, attachments }, key);

/** Parts of the page. */
export const row = (page: Page, text: string): Locator => page.locator('.row', { hasText: text });
export const tab = (page: Page, name: string): Locator => page.getByRole('tab', { name });
export const frameOf = (page: Page): FrameLocator => page.frameLocator('iframe.mail');

/** A suite that runs in a browser. If no browser is installed, it only checks that the page is served. */
export function browserSuite(name: string, define: (test: Test<{ browser: Browser }>) => void): void {
  const test = suiteInBrowser<{ browser: Browser }>(name, {
    title: 'the server returns the page',
    async run() {
      const bench = await openInboxBench();
      assert.is((await bench.ask('')).status, 200);
      await bench.close();
    },
  });
  test.before(async (context) => {
    context.browser = await openBrowser();
  });
  test.after(({ browser }) => browser.close());
  define(test);
  test.run();
}

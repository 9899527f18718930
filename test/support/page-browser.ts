// Chromium for tests of pages: real, headless, without access to the network. Called by the browser tests.
import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { suite, type Test } from 'uvu';
import { mayUse } from './services.ts';

const paths = [
  process.env.POSTRIDER_TEST_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The browser's program, or undefined if none is installed. */
const chromiumPath = paths.find((path) => path !== undefined && existsSync(path));

const quiet = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'];

/** Starts the browser. Close it at the end. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    ...(chromiumPath === undefined ? {} : { executablePath: chromiumPath }),
    args: [...quiet, '--disable-component-update', '--disable-sync'],
  });

/** A page and its errors: console errors, exceptions, failed requests. */
export interface WatchedPage {
  readonly page: Page;
  readonly pageErrors: string[];
}

/** Opens a watched page. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const context = await browser.newContext(options);
  // This is enough on a busy machine. If an element is missing, its test fails before the time limit of the file ends the process.
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  const pageErrors: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) pageErrors.push(message.text());
  });
  page.on('pageerror', (error) => pageErrors.push(error.message));
  page.on('requestfailed', (request) => pageErrors.push(`${request.url()} failed`));
  page.on('response', (response) => {
    if (response.status() >= 400) pageErrors.push(`${response.url()} answered ${response.status()}`);
  });
  return { page, pageErrors };
}

/**
 * A suite that runs in a browser. If no browser is installed, it prints a line, registers no tests and runs `otherwise`, which needs no
 * browser. If services are required, it fails.
 */
export function suiteInBrowser<Context>(
  name: string,
  otherwise: { readonly title: string; readonly run: () => Promise<void> },
): Test<Context> {
  const reason = 'no Chromium is installed; POSTRIDER_TEST_CHROMIUM names one';
  if (mayUse(`${name} in a browser`, chromiumPath !== undefined, reason)) return suite<Context>(name);
  const fallbackSuite = suite(name);
  fallbackSuite(otherwise.title, otherwise.run);
  const ignore = () => undefined;
  const hook = Object.assign(ignore, { each: ignore });
  return Object.assign(ignore, {
    only: ignore,
    skip: ignore,
    before: hook,
    after: hook,
    run: () => fallbackSuite.run(),
  });
}

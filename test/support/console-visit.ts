// Visits pages for the program's own staff in a browser below a base path. Called by tests of these pages.
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Service } from '../../core/kernel/compose.ts';
import { closeServer, portOf, serveBelow } from './based-server.ts';
import { openPage } from './page-browser.ts';

const base = '/a/b';
const folder = process.env.POSTRIDER_TEST_SCREENSHOTS;

/** If POSTRIDER_TEST_SCREENSHOTS=FOLDER is set, writes a screenshot of the whole page to that folder. */
export async function saveScreenshot(page: Page, name: string): Promise<void> {
  if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

/** A page in a browser. */
export interface ConsoleVisit {
  readonly page: Page;
  /** The address at which the service is mounted. */
  readonly origin: string;
  /** Console errors, exceptions, failed requests. */
  readonly pageErrors: readonly string[];
}

/** Serves the service below a base path, visits it, and closes everything. */
export async function visitUnderBasePath(
  browser: Browser,
  bench: { readonly service: Pick<Service, 'dispatch'>; close(): Promise<unknown> },
  options: BrowserContextOptions,
  work: (visit: ConsoleVisit) => Promise<void>,
): Promise<void> {
  const server = await serveBelow(base, bench.service);
  const { page, pageErrors } = await openPage(browser, options);
  try {
    await work({ page, origin: `http://localhost:${portOf(server)}${base}`, pageErrors });
  } finally {
    await page.context().close();
    await closeServer(server);
    await bench.close();
  }
}

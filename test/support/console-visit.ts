// Visits pages for the program's own staff: by requests in this process, and in a browser below a base path. Called by tests of these
// pages.
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Service } from '../../core/kernel/compose.ts';
import { bodyBytes } from '../../hosts/testing/index.ts';
import { closeServer, portOf, serveBelow } from './based-server.ts';
import { openPage } from './page-browser.ts';

const base = '/a/b';
const folder = process.env.POSTRIDER_TEST_SCREENSHOTS;

/** A page's answer. */
export interface PageResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Requests the page at `path` as a browser on this machine does. `rest` follows its path. */
export const pageRequester =
  ({ dispatch }: Pick<Service, 'dispatch'>, path: string) =>
  async (
    rest: string,
    headers: Record<string, string> = {},
    method = 'GET',
    body: string | undefined = undefined,
  ): Promise<PageResponse> => {
    const answer = await dispatch({
      method,
      url: `${path}${rest}`,
      headers: { host: 'localhost', ...headers },
      body,
      address: '127.0.0.1',
    });
    return { status: answer.status, headers: answer.headers, text: (await bodyBytes(answer.body)).toString('utf8') };
  };

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

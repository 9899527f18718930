// time-limit: 180
// The link from a page back to the start page that the host names: present on each page, for each host, and absent if the host names
// no start page. Its layout on pages that fill the window.
// full-run: browser
import { once } from 'node:events';
import { createServer } from 'node:http';
import express from 'express';
import Fastify from 'fastify';
import type { Browser } from 'playwright-core';
import * as assert from 'uvu/assert';
import { expressHost } from '../../hosts/express/index.ts';
import { fastifyHost } from '../../hosts/fastify/index.ts';
import { nodeHost } from '../../hosts/node/index.ts';
import { type AnyTestService, createTestService } from '../../hosts/testing/index.ts';
import { qrPlugin, standardPlugins } from '../../plugins/index.ts';
import { accessibilityViolations } from '../support/axe.ts';
import { closeServer, portOf } from '../support/based-server.ts';
import { inPage, lowContrastTexts, overflow } from '../support/inbox-visit.ts';
import { openBrowser, openPage, suiteInBrowser } from '../support/page-browser.ts';

const withPage = [qrPlugin({ designer: true })];
const names = ['inbox', 'qr-designer'];
const pages = [...names, 'docs'];

const openService = (): Promise<AnyTestService> =>
  createTestService({
    plugins: standardPlugins.map((plugin) => withPage.find(({ id }) => id === plugin.id) ?? plugin),
  });

/** Serves the pages at the root, with or without a start page. */
async function withServedPages(startPage: string | undefined, work: (origin: string) => Promise<void>): Promise<void> {
  const bench = await openService();
  const server = createServer(nodeHost(bench.service, startPage === undefined ? {} : { startPage }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await work(`http://127.0.0.1:${portOf(server)}`);
  } finally {
    await closeServer(server);
    await bench.close();
  }
}

const linkSelector =
  /<a class="(?:start|brand)" href="\/admin\?a=&quot;" aria-label="Postrider(?: API reference)?: start page">/g;

const test = suiteInBrowser<{ browser: Browser }>('the link back to the start page', {
  title: 'the server returns the page',
  run: () => withServedPages('/admin', async (origin) => assert.is((await fetch(`${origin}/inbox`)).status, 200)),
});

test.before(async (context) => {
  context.browser = await openBrowser();
});
test.after(({ browser }) => browser.close());

test('if the host names a start page, each page links to it once', () =>
  withServedPages('/admin?a="', async (origin) => {
    for (const page of pages) {
      const answer = await fetch(`${origin}/${page}`);
      assert.is(answer.status, 200, page);
      const text = await answer.text();
      assert.is(text.match(linkSelector)?.length, 1, page);
      // A screen reader lists the link among the landmarks.
      assert.match(text, /<(nav aria-label="Start page"|header)>(?:(?!<\/(?:nav|header)>).)*: start page"/s, page);
    }
  }));

test('if the host names no start page, no page links to it', () =>
  withServedPages(undefined, async (origin) => {
    for (const page of pages) assert.not.match(await (await fetch(`${origin}/${page}`)).text(), /: start page"/);
  }));

test('Express and Fastify can name a start page, too', async () => {
  const bench = await openService();
  const app = express();
  app.use('/messaging', expressHost(bench.service, { startPage: '/admin' }));
  const fastify = Fastify();
  await fastify.register(fastifyHost(bench.service, { startPage: '/admin' }), { prefix: '/messaging' });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const page = await (await fetch(`http://127.0.0.1:${portOf(server)}/messaging/inbox`)).text();
    assert.match(page, /<a class="start" href="\/admin"/);
    const answer = await fastify.inject('/messaging/inbox');
    assert.match(answer.body, /<a class="start" href="\/admin"/);
  } finally {
    await closeServer(server);
    await fastify.close();
    await bench.close();
  }
});

test('axe finds no serious fault on any page, and no content outside landmarks', ({ browser }) =>
  withServedPages('/admin', async (origin) => {
    for (const name of pages) {
      const { page } = await openPage(browser);
      await page.goto(`${origin}/${name}`);
      await page.getByRole('link', { name: /^Postrider.*: start page$/ }).waitFor();
      assert.equal(await accessibilityViolations(page), [], name);
      await page.context().close();
    }
  }));

for (const colorScheme of ['light', 'dark'] as const)
  test(`in ${colorScheme} mode pages fit below the link, and Tab reaches it first`, ({ browser }) =>
    withServedPages('/admin', async (origin) => {
      const { page } = await openPage(browser, { colorScheme });
      for (const width of [1280, 768, 390, 320]) {
        await page.setViewportSize({ width, height: 800 });
        for (const name of names) {
          await page.goto(`${origin}/${name}`);
          await page.getByRole('link', { name: 'Postrider: start page' }).waitFor();
          assert.ok((await inPage<number>(page, overflow)) <= 0, `${name} at ${width} px is too wide`);
          assert.equal(await inPage(page, lowContrastTexts), [], name);
          await page.keyboard.press('Tab');
          assert.is(await inPage(page, 'document.activeElement.className'), 'start', name);
        }
        await page.goto(`${origin}/inbox`);
        await page.locator('.inbox').waitFor();
        assert.is(
          await inPage(page, 'document.documentElement.scrollHeight'),
          800,
          'the inbox fills the rest of the window',
        );
      }
      await page.context().close();
    }));

test.run();

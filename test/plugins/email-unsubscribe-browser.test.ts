// The unsubscribe page in a real browser: narrow, light and dark, right to left, without a script.
// time-limit: 180
// full-run: browser
import type { Server } from 'node:http';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { createTestService, type TestService } from '../../hosts/testing/index.ts';
import { emailPlugin } from '../../plugins/email/index.ts';
import type { standardPlugins } from '../../plugins/index.ts';
import { closeServer, portOf, serveBelow } from '../support/based-server.ts';
import { lowContrastTexts, overflow } from '../support/inbox-visit.ts';
import { openBrowser, openPage, suiteInBrowser } from '../support/page-browser.ts';
import { bareStandardPlugins } from '../support/plugins.ts';
import { visit } from '../support/tracked-mail.ts';

type StandardIds = (typeof standardPlugins)[number]['id'];

const arabic = {
  direction: 'rtl',
  title: 'إلغاء الاشتراك؟',
  question: 'لن تصلك هذه الرسائل بعد الآن.',
  button: 'إلغاء الاشتراك',
  doneTitle: 'تم إلغاء اشتراكك',
  done: 'لن تصلك هذه الرسائل بعد الآن. يمكنك إغلاق هذه الصفحة.',
} as const;
const plugins = bareStandardPlugins.map((plugin) =>
  plugin.id === 'email' ? emailPlugin({ unsubscribeTexts: { ar: arabic } }) : plugin,
);
const base = '/a/b';

interface Context {
  readonly browser: Browser;
  readonly bench: TestService<StandardIds>;
  readonly server: Server;
  readonly url: string;
}

async function open(): Promise<Omit<Context, 'browser'>> {
  // The address is needed before the server starts: links contain it, and the server answers below its path.
  const bench = await createTestService<StandardIds>({ publicUrl: `http://127.0.0.1${base}`, plugins });
  const calls = bench.service.as(bench.workspaceId);
  await calls.templates.create({
    key: 'news',
    mode: 'html',
    category: 'marketing',
    subject: 'News',
    body: '<p>News</p><a href="%unsubscribe_url%">Leave</a>',
  });
  await calls.templates.publish({ key: 'news' });
  await calls.email.send({ template: 'news', to: 'ada@example.org' });
  await bench.drain();
  const server = await serveBelow(base, bench.service);
  const unsubscribeHeader = bench.lastMailTo('ada@example.org')?.headers['List-Unsubscribe'] ?? '';
  const url = unsubscribeHeader.replace(/^<http:\/\/127.0.0.1/, `http://127.0.0.1:${portOf(server)}`).replace(/>$/, '');
  return { bench, server, url };
}

const test = suiteInBrowser<Context>('the unsubscribe page in a browser', {
  title: 'the server returns the page',
  run: async () => {
    const { bench, server, url } = await open();
    assert.is((await visit(bench, new URL(url).pathname.slice(base.length))).status, 200);
    await closeServer(server);
    await bench.close();
  },
});

test.before(async (context) => {
  Object.assign(context, await open(), { browser: await openBrowser() });
});
test.after(async ({ browser, bench, server }) => {
  await browser.close();
  await closeServer(server);
  await bench.close();
});

const folder = process.env.POSTRIDER_TEST_SCREENSHOTS;
/** Saves a screenshot for a review by eye, if a folder for them is given. */
const saveScreenshot = async (page: Page, name: string): Promise<void> => {
  if (folder !== undefined) await page.screenshot({ path: `${folder}/unsubscribe-${name}.png` });
};

const appearances: readonly (readonly [name: string, options: BrowserContextOptions])[] = [
  ['light', { colorScheme: 'light' }],
  ['dark', { colorScheme: 'dark' }],
  ['rtl', { colorScheme: 'light', locale: 'ar-EG' }],
];

for (const [name, options] of appearances) {
  test(`at 320 pixels, ${name}: the page fits, is readable, and causes no error`, async ({ browser, url }) => {
    const { page, pageErrors } = await openPage(browser, { viewport: { width: 320, height: 568 }, ...options });
    await page.goto(url);
    assert.is(await page.evaluate(overflow), 0);
    assert.equal(await page.evaluate(lowContrastTexts), []);
    const box = await page.getByRole('button').boundingBox();
    assert.ok(
      box && box.height >= 44 && box.x >= 0 && box.x + box.width <= 320,
      'the button is too small to be touched',
    );
    const { direction, language } = await page.evaluate<{ direction: string; language: string }>(
      '({ direction: getComputedStyle(document.body).direction, language: document.documentElement.lang })',
    );
    assert.equal([direction, language], name === 'rtl' ? ['rtl', 'ar'] : ['ltr', 'en']);
    await saveScreenshot(page, name);
    assert.equal(pageErrors, []);
    await page.context().close();
  });
}

test('the button works without JavaScript, by keyboard alone', async ({ browser, bench, url }) => {
  const { page, pageErrors } = await openPage(browser, {
    javaScriptEnabled: false,
    viewport: { width: 320, height: 568 },
  });
  await page.goto(url);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'You are unsubscribed' }).waitFor();
  await saveScreenshot(page, 'done');
  const { data } = await bench.service.as(bench.workspaceId).suppressions.list({});
  assert.equal(
    data.map(({ email, reason }) => [email, reason]),
    [['ada@example.org', 'unsubscribe']],
  );
  assert.equal(pageErrors, []);
  await page.context().close();
});

test.run();

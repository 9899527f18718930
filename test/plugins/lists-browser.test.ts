// The public pages of lists in a real browser: narrow, light and dark, by keyboard and without a script, on a content host and
// in the sandbox of other hosts.
// time-limit: 180
// full-run: browser
import type { Server } from 'node:http';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { createTestService, type TestService } from '../../hosts/testing/index.ts';
import type { standardPlugins } from '../../plugins/index.ts';
import { closeServer, portOf, serveBelow } from '../support/based-server.ts';
import { lowContrastTexts, overflow } from '../support/inbox-visit.ts';
import { openBrowser, openPage, suiteInBrowser } from '../support/page-browser.ts';
import { bareStandardPlugins } from '../support/plugins.ts';
import { urlsOf, visit } from '../support/tracked-mail.ts';

type StandardIds = (typeof standardPlugins)[number]['id'];

const base = '/a/b';

interface Context {
  readonly browser: Browser;
  readonly bench: TestService<StandardIds>;
  readonly server: Server;
  readonly listId: string;
  /** The URLs of the pages on this server, as mail and answers name them. */
  readonly subscribe: string;
  readonly confirm: string;
  readonly preferences: string;
}

async function open(): Promise<Omit<Context, 'browser'>> {
  // The address is needed before the server starts: links contain it, and the server answers below its path.
  const bench = await createTestService<StandardIds>({
    publicUrl: `http://127.0.0.1${base}`,
    plugins: bareStandardPlugins,
  });
  const { brand, contacts, email, lists, templates } = bench.service.as(bench.workspaceId);
  await brand.create({
    name: 'Hofladen Müller & Söhne',
    palette: { primary: '#ffd54a', text: '#888888', background: '#fffdf5' },
  });
  const description =
    'Was es diese Woche im Laden gibt. A-word-that-is-much-too-long-for-a-narrow-screen-and-has-to-break-somewhere.';
  const list = { visibility: 'public', optin: 'double', description } as const;
  const { listId, subscribeUrl } = await lists.create({ ...list, name: 'Weekly news' });
  await lists.create({ ...list, name: 'Recipes', description: '' });
  const { id } = await contacts.upsert({ email: 'ada@example.org' });
  await lists.membersAdd({ listId, contactIds: [id] });
  await bench.drain();
  const confirm = urlsOf(bench.lastMailTo('ada@example.org') ?? {}).links[0] ?? '';
  await templates.create({
    key: 'news',
    mode: 'html',
    category: 'marketing',
    subject: 'News',
    body: '<p>News <a href="%unsubscribe_url%">Leave</a></p>',
  });
  await templates.publish({ key: 'news' });
  await email.send({ template: 'news', to: 'ada@example.org' });
  await bench.drain();
  const preferences = urlsOf(bench.lastMailTo('ada@example.org') ?? {}).links.at(-1) ?? '';
  const server = await serveBelow(base, bench.service);
  const localUrl = (url: string) => url.replace('http://127.0.0.1/', `http://127.0.0.1:${portOf(server)}/`);
  return {
    bench,
    server,
    listId,
    subscribe: localUrl(subscribeUrl ?? ''),
    confirm: localUrl(confirm),
    preferences: localUrl(preferences),
  };
}

const test = suiteInBrowser<Context>('the public pages of lists in a browser', {
  title: 'the server returns the pages',
  run: async () => {
    const { bench, server, subscribe, confirm, preferences } = await open();
    for (const url of [subscribe, confirm, preferences])
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

/** Stores screenshots for a review by eye, if a folder for them is given. */
const folder = process.env.POSTRIDER_TEST_SCREENSHOTS;
const saveScreenshot = async (page: Page, name: string): Promise<void> => {
  if (folder !== undefined) await page.screenshot({ path: `${folder}/lists-${name}.png`, fullPage: true });
};

/** Fields without a label, duplicate ids, and references without a target. A string, because it runs in the page. */
const accessibilityFaults = `(() => {
  const faults = [...document.querySelectorAll('input:not([type=hidden]),textarea,select')].filter((one) => one.labels.length !== 1).map((one) => one.name);
  const ids = [...document.querySelectorAll('[id]')].map((one) => one.id);
  faults.push(...ids.filter((id, index) => ids.indexOf(id) !== index));
  for (const one of document.querySelectorAll('[aria-describedby]')) if (!document.getElementById(one.getAttribute('aria-describedby'))) faults.push('describedby');
  if (document.querySelectorAll('h1').length !== 1) faults.push('h1');
  return faults;
})()`;

const appearances: readonly (readonly [name: string, options: BrowserContextOptions])[] = [
  ['light', { colorScheme: 'light' }],
  ['dark', { colorScheme: 'dark' }],
];

for (const [name, options] of appearances)
  test(`at 320 pixels, ${name}: every page fits, is readable, and causes no error`, async (context) => {
    const { browser, subscribe, confirm, preferences } = context;
    const pages = { subscribe, sent: `${subscribe}?sent`, confirm, preferences, saved: `${preferences}?saved` };
    for (const [pageName, url] of Object.entries(pages)) {
      const { page, pageErrors } = await openPage(browser, { viewport: { width: 320, height: 568 }, ...options });
      await page.goto(url);
      assert.is(await page.evaluate(overflow), 0, pageName);
      assert.equal(await page.evaluate(lowContrastTexts), [], pageName);
      assert.equal(await page.evaluate(accessibilityFaults), [], pageName);
      for (const button of await page.getByRole('button').all()) {
        const box = await button.boundingBox();
        assert.ok(
          box && box.height >= 44 && box.x >= 0 && box.x + box.width <= 320,
          `${pageName}: a button is too small to be touched`,
        );
      }
      await saveScreenshot(page, `${pageName}-${name}`);
      assert.equal(pageErrors, []);
      await page.context().close();
    }
  });

test('a visitor can subscribe without JavaScript, by keyboard alone, and an error is shown beside its field', async (context) => {
  const { browser, bench, subscribe } = context;
  const options = { javaScriptEnabled: false, viewport: { width: 320, height: 568 } };
  const { page, pageErrors } = await openPage(browser, options);
  await page.goto(subscribe);
  bench.advanceClock(3_000);
  await page.keyboard.press('Tab');
  await page.keyboard.type('grace@example');
  await page.keyboard.press('Enter');
  await page.getByText('This is not an email address').waitFor();
  const field = page.getByRole('textbox', { name: 'Email' });
  assert.equal([await field.inputValue(), await field.getAttribute('aria-invalid')], ['grace@example', 'true']);
  await saveScreenshot(page, 'faults');
  bench.advanceClock(3_000);
  assert.is(await page.evaluate('document.activeElement.name'), 'email', 'the field with the error has the focus');
  assert.equal(
    pageErrors.filter((text) => text.includes('focus')),
    [],
  );
  await field.fill('grace@example.org');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Grace');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Check your inbox' }).waitFor();
  await bench.drain();
  assert.match(bench.lastMailTo('grace@example.org')?.subject ?? '', 'Please confirm: Weekly news');
  await page.context().close();
});

test('the button in the mail opens a page whose button confirms, in the sandbox of the browser', async (context) => {
  const { browser, bench, confirm, listId } = context;
  const { page, pageErrors } = await openPage(browser, { viewport: { width: 320, height: 568 } });
  await page.goto(confirm);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Thank you' }).waitFor();
  await saveScreenshot(page, 'confirmed');
  const { data } = await bench.service.as(bench.workspaceId).lists.members({ listId });
  assert.equal(
    data.map(({ email, status }) => [email, status]),
    [['ada@example.org', 'confirmed']],
  );
  assert.equal(pageErrors, []);
  await page.context().close();
});

test('a contact can change their preferences without JavaScript, and can stop marketing mail', async (context) => {
  const { browser, bench, preferences, listId } = context;
  const { page, pageErrors } = await openPage(browser, {
    javaScriptEnabled: false,
    viewport: { width: 320, height: 568 },
  });
  await page.goto(preferences);
  await page.getByRole('checkbox', { name: 'Weekly news' }).uncheck();
  await page.getByRole('checkbox', { name: 'Recipes' }).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('status').waitFor();
  assert.is(await page.getByRole('checkbox', { name: 'Recipes' }).isChecked(), true);
  const { lists, suppressions } = bench.service.as(bench.workspaceId);
  assert.is((await lists.read({ listId })).contactCount, 0);
  await page.getByRole('button', { name: 'No more marketing mail' }).click();
  await page.getByText('You will get no more marketing emails from us').waitFor();
  await saveScreenshot(page, 'stopped');
  assert.equal(
    (await suppressions.list({})).data.map(({ reason }) => reason),
    ['unsubscribe'],
  );
  assert.equal(pageErrors, []);
  await page.context().close();
});

test.run();

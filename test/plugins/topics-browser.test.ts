// The pages for mail with a topic in a real browser: the unsubscribe page and the page of preferences in the style of the brand, in
// English and German, narrow, light and dark, by keyboard and without a script.
// time-limit: 240
// full-run: browser
import type { Server } from 'node:http';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { createTestService, type TestService } from '../../hosts/testing/index.ts';
import { emailPlugin } from '../../plugins/email/index.ts';
import type { standardPlugins } from '../../plugins/index.ts';
import { listsPlugin } from '../../plugins/lists/index.ts';
import { accessibilityViolations } from '../support/axe.ts';
import { closeServer, portOf, serveBelow } from '../support/based-server.ts';
import { germanLists, germanUnsubscribe } from '../support/german-texts.ts';
import { lowContrastTexts, overflow } from '../support/inbox-visit.ts';
import { openBrowser, openPage, suiteInBrowser } from '../support/page-browser.ts';
import { bareStandardPlugins } from '../support/plugins.ts';
import { urlsOf, visit } from '../support/tracked-mail.ts';

type StandardIds = (typeof standardPlugins)[number]['id'];

const plugins = bareStandardPlugins.map((plugin) => {
  if (plugin.id === 'email') return emailPlugin({ unsubscribeTexts: { de: germanUnsubscribe } });
  return plugin.id === 'lists' ? listsPlugin({ texts: { de: germanLists } }) : plugin;
});
const base = '/a/b';
const narrow = { width: 320, height: 568 };

interface Context {
  readonly browser: Browser;
  readonly bench: TestService<StandardIds>;
  readonly server: Server;
  /** The URLs of a mail with the topic. */
  readonly mailTo: (to: string) => Promise<{ readonly unsubscribe: string; readonly preferences: string }>;
}

async function open(): Promise<Omit<Context, 'browser'>> {
  // The address is needed before the server starts: links contain it, and the server answers below its path.
  const bench = await createTestService<StandardIds>({ publicUrl: `http://127.0.0.1${base}`, plugins });
  const { brand, email, lists, templates, topics } = bench.service.as(bench.workspaceId);
  await brand.create({
    name: 'Hofladen Müller & Söhne',
    palette: { primary: '#ffd54a', text: '#888888', background: '#fffdf5' },
  });
  await topics.create({
    key: 'recipes',
    name: 'Rezepte & Erntezeiten',
    description: 'A-word-that-is-much-too-long-for-a-narrow-screen-and-has-to-break-somewhere-or-else-it-overflows.',
    default: 'subscribed',
  });
  await topics.create({ key: 'offers', name: 'العروض', default: 'unsubscribed' });
  await topics.create({ key: 'club', name: 'Club', default: 'subscribed', visibility: 'private' });
  await lists.create({ name: 'Weekly news', visibility: 'public' });
  await templates.create({
    key: 'letter',
    mode: 'html',
    category: 'marketing',
    topicKey: 'recipes',
    subject: 'Plums',
    body: '<p>Plums <a href="%unsubscribe_url%">Leave</a></p>',
  });
  await templates.publish({ key: 'letter' });
  const server = await serveBelow(base, bench.service);
  const localUrl = (url: string) => url.replace('http://127.0.0.1/', `http://127.0.0.1:${portOf(server)}/`);
  const mailTo = async (to: string) => {
    await email.send({ template: 'letter', to });
    await bench.drain();
    const { links } = urlsOf(bench.lastMailTo(to) ?? {});
    return { unsubscribe: localUrl(links[0] ?? ''), preferences: localUrl(links.at(-1) ?? '') };
  };
  return { bench, server, mailTo };
}

const test = suiteInBrowser<Context>('the pages of topics in a browser', {
  title: 'the server returns the pages',
  run: async () => {
    const { bench, server, mailTo } = await open();
    for (const url of Object.values(await mailTo('ada@example.org')))
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
  if (folder !== undefined) await page.screenshot({ path: `${folder}/topics-${name}.png`, fullPage: true });
};

const looks: readonly (readonly [name: string, language: string, options: BrowserContextOptions])[] = [
  ['english, light', 'en', { colorScheme: 'light', locale: 'en-GB' }],
  ['english, dark', 'en', { colorScheme: 'dark', locale: 'en-GB' }],
  ['german, light', 'de', { colorScheme: 'light', locale: 'de-AT' }],
  ['german, dark', 'de', { colorScheme: 'dark', locale: 'de-AT' }],
];

for (const [name, language, options] of looks)
  test(`at 320 pixels, ${name}: every page fits, is readable and accessible, and has the name of the brand`, async (context) => {
    const { browser, mailTo } = context;
    const { unsubscribe, preferences } = await mailTo(`${name.replace(/\W+/g, '-')}@example.org`);
    const { page, pageErrors } = await openPage(browser, { viewport: narrow, ...options });
    // The policy of the page stops every script and timer, but axe needs them, so axe gets a copy without the policy.
    const { page: copy } = await openPage(browser, { viewport: narrow, ...options });
    const check = async (pageName: string) => {
      assert.is(await page.evaluate(overflow), 0, pageName);
      assert.equal(await page.evaluate(lowContrastTexts), [], pageName);
      await copy.setContent(await page.content());
      assert.equal(await accessibilityViolations(copy), [], pageName);
      assert.is(await page.evaluate('document.documentElement.lang'), language, pageName);
      await page.getByText('Hofladen Müller & Söhne').first().waitFor();
      for (const button of await page.getByRole('button').all()) {
        const box = await button.boundingBox();
        assert.ok(
          box && box.height >= 44 && box.x >= 0 && box.x + box.width <= 320,
          `${pageName}: a button is too small`,
        );
      }
      await saveScreenshot(page, `${pageName}-${name}`);
    };
    await page.goto(preferences);
    await check('preferences');
    await page.goto(unsubscribe);
    await page.getByText('Rezepte & Erntezeiten').waitFor();
    assert.is(await page.getByRole('button').count(), 2);
    await check('question');
    await page.getByRole('button').first().click();
    await page
      .getByRole('heading', { name: language === 'de' ? 'Sie sind abgemeldet' : 'You are unsubscribed' })
      .waitFor();
    await check('done');
    assert.equal(pageErrors, []);
    await copy.context().close();
    await page.context().close();
  });

test('the page of preferences shows topics and lists, and can be changed by keyboard alone without JavaScript', async (context) => {
  const { browser, bench, mailTo } = context;
  const { preferences } = await mailTo('ada@example.org');
  const { page, pageErrors } = await openPage(browser, { javaScriptEnabled: false, viewport: narrow, locale: 'en-GB' });
  await page.goto(preferences);
  const names = async (group: string) =>
    (await page.getByRole('group', { name: group }).getByRole('checkbox').all()).length;
  assert.equal([await names('What our emails are about'), await names('Your subscriptions')], [2, 1]);
  assert.is(await page.getByRole('checkbox', { name: 'Rezepte & Erntezeiten' }).isChecked(), true);
  assert.is(await page.getByRole('checkbox', { name: 'العروض' }).isChecked(), false);
  for (const key of ['Tab', 'Space', 'Tab', 'Space', 'Tab', 'Tab', 'Enter']) await page.keyboard.press(key);
  await page.getByRole('status').waitFor();
  assert.is(await page.getByRole('checkbox', { name: 'Rezepte & Erntezeiten' }).isChecked(), false);
  assert.is(await page.getByRole('checkbox', { name: 'العروض' }).isChecked(), true);
  const calls = bench.service.as(bench.workspaceId);
  const { id } = await calls.contacts.upsert({ email: 'ada@example.org' });
  assert.equal(
    (await calls.preferences.read({ contactId: id })).preferences.map(({ subscribed, source }) => [subscribed, source]),
    [
      [false, 'page'],
      [true, 'page'],
      [true, null],
    ],
  );
  await page.getByRole('button', { name: 'No more marketing mail' }).click();
  await page.getByText('You will get no more marketing emails from us').waitFor();
  assert.equal(pageErrors, []);
  await page.context().close();
});

test('the unsubscribe page works by keyboard alone without JavaScript: first it ends the topic, then all marketing mail', async (context) => {
  const { browser, bench, mailTo } = context;
  const { unsubscribe } = await mailTo('grace@example.org');
  const { page, pageErrors } = await openPage(browser, { javaScriptEnabled: false, viewport: narrow, locale: 'en-GB' });
  const suppressionsOfGrace = async () =>
    (await bench.service.as(bench.workspaceId).suppressions.list({ email: 'grace@example.org' })).data.length;
  await page.goto(unsubscribe);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'You are unsubscribed' }).waitFor();
  assert.is(await suppressionsOfGrace(), 0);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('You will get no more marketing emails from').waitFor();
  assert.equal([await suppressionsOfGrace(), await page.getByRole('button').count()], [1, 0]);
  assert.equal(pageErrors, []);
  await page.context().close();
});

test.run();

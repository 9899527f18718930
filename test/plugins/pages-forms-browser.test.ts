// The form of a page in a real browser: 390 pixels wide, by keyboard alone, without JavaScript, in a sandboxed page outside a content
// host; from the form to the mail and the lead magnet.
// time-limit: 180
// full-run: browser
import type { Server } from 'node:http';
import type { Browser } from 'playwright-core';
import * as assert from 'uvu/assert';
import { createTestService, type TestService } from '../../hosts/testing/index.ts';
import type { standardPlugins } from '../../plugins/index.ts';
import { closeServer, portOf, serveBelow } from '../support/based-server.ts';
import { magnet, pluginsWithGifts } from '../support/gifts-plugin.ts';
import { lowContrastTexts, overflow } from '../support/inbox-visit.ts';
import { openBrowser, openPage, suiteInBrowser } from '../support/page-browser.ts';
import { email, name } from '../support/page-forms-bench.ts';
import { urlsOf, visit } from '../support/tracked-mail.ts';

type StandardIds = (typeof standardPlugins)[number]['id'];

const base = '/a/b';
const slug = 'breads';

interface Context {
  readonly browser: Browser;
  readonly bench: TestService<StandardIds>;
  readonly server: Server;
  /** Adds the port of the local server to a URL of the service. */
  here(url: string): string;
  readonly url: string;
}

async function open(): Promise<Omit<Context, 'browser'>> {
  // The public URL is fixed before the server starts, because links are built from it.
  const publicUrl = `http://127.0.0.1${base}`;
  const bench = await createTestService<StandardIds>({ publicUrl, plugins: pluginsWithGifts(base) });
  const { brand, pages } = bench.service.as(bench.workspaceId);
  await brand.create({
    name: 'Hofladen Müller',
    palette: { primary: '#ffd54a', text: '#333333', background: '#fffdf5' },
  });
  const { id } = await pages.create({ brief: 'A page for our bread book.', slug, length: 'short' });
  await bench.drain();
  const topic = {
    name: 'topic',
    type: 'select',
    label: 'Your favourite',
    required: true,
    options: ['Rye', 'Spelt'],
  } as const;
  const checkbox = { name: 'agreed', type: 'checkbox', label: 'I have read the terms', required: true } as const;
  const form = {
    formId: 'book',
    fields: [email, name, topic, checkbox],
    consentText: 'You get one mail.',
    leadMagnetId: magnet.id,
  };
  const contactForm = { formId: 'contact', fields: [email, name] };
  const sections = [
    { kind: 'hero', heading: 'Ten breads' },
    { kind: 'lead_form', heading: 'Get the book', form: { ...form, thanks: 'Good **choice**.' } },
    { kind: 'contact', heading: 'Write to us', form: contactForm },
  ];
  await pages.update({ idOrSlug: id, sections: sections as never });
  const { url } = await pages.publish({ idOrSlug: id });
  const server = await serveBelow(base, bench.service);
  const localUrl = (address: string) => address.replace('http://127.0.0.1/', `http://127.0.0.1:${portOf(server)}/`);
  return { bench, server, here: localUrl, url: localUrl(url ?? '') };
}

const test = suiteInBrowser<Context>('the form of a page in a browser', {
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

/** Fields without a label, duplicate ids, and references without a target. A string, because it runs in the page. */
const accessibilityFaults = `(() => {
  const faults = [...document.querySelectorAll('input:not([type=hidden]),textarea,select')].filter((one) => one.labels.length !== 1).map((one) => one.name);
  const ids = [...document.querySelectorAll('[id]')].map((one) => one.id);
  faults.push(...ids.filter((id, index) => ids.indexOf(id) !== index));
  for (const one of document.querySelectorAll('[aria-describedby]')) if (!document.getElementById(one.getAttribute('aria-describedby'))) faults.push('describedby');
  return faults;
})()`;

const active = 'document.activeElement.name || document.activeElement.id';

test('at 390 pixels, by keyboard and without a script, the form shows errors and thanks, the mail arrives, and the download works', async (context) => {
  const { browser, bench, here, url } = context;
  const phone = { viewport: { width: 390, height: 844 }, javaScriptEnabled: false, acceptDownloads: true };
  const { page, pageErrors } = await openPage(browser, phone);
  const fits = async (state: string) => {
    assert.is(await page.evaluate(overflow), 0, state);
    assert.equal(await page.evaluate(lowContrastTexts), [], state);
    assert.equal(await page.evaluate(accessibilityFaults), [], state);
  };
  await page.goto(url);
  await fits('the page');
  const form = page.locator('#form-book');
  await form.getByRole('textbox', { name: 'Email' }).focus();
  bench.advanceClock(3_000);
  await page.keyboard.type('grace@example');
  await page.keyboard.press('Enter');
  await form.getByText('This is not an email address').waitFor();
  await form.getByText('Please tick “I have read the terms”').waitFor();
  await fits('the faults');
  assert.is(await page.evaluate(active), 'email', 'the first field with an error has the focus');
  assert.is(await form.getByRole('textbox', { name: 'Email' }).getAttribute('aria-invalid'), 'true');
  assert.match(await page.title(), /^Error: /);
  assert.is(await page.locator('#form-contact').getByRole('textbox', { name: 'Email' }).inputValue(), '');
  bench.advanceClock(3_000);
  await page.keyboard.press('End');
  await page.keyboard.type('.org');
  for (const keys of [['Tab', 'Tab'], ['S'], ['Tab'], ['Space'], ['Tab'], ['Enter']])
    for (const key of keys) await page.keyboard.press(key);
  const thanks = page.getByRole('status');
  await thanks.getByText('Please check your inbox').waitFor();
  assert.is(await thanks.locator('strong').innerText(), 'choice');
  assert.is(await page.evaluate(active), 'form-book', 'the message of thanks has the focus');
  await fits('the thanks');
  await page.locator('#form-contact').getByRole('textbox', { name: 'Email' }).waitFor();
  await bench.drain();
  const [asked = ''] = urlsOf(bench.lastMailTo('grace@example.org') ?? {}).links;
  await page.goto(here(asked));
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const link = page.getByRole('link', { name: 'Ten <breads>' });
  await link.waitFor();
  await fits('the page after the confirmation');
  const file = page.waitForEvent('download');
  await link.press('Enter');
  assert.is((await file).suggestedFilename(), 'breads.pdf', 'a page in the sandbox can link to a file');
  assert.equal(
    pageErrors.filter(
      (text) => !text.includes('answered 422') && !text.includes('status of 422') && !text.includes('/gift failed'),
    ),
    [],
  );
  const [{ fields }] = (await bench.events('page.form_submitted')) as unknown as [{ fields: unknown }];
  assert.equal(fields, { email: 'grace@example.org', name: '', topic: 'Spelt', agreed: 'yes' });
  await page.context().close();
});

test.run();

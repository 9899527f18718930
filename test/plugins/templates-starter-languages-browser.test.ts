// time-limit: 240
// The starters in other languages and scripts in a real browser: width, direction, alignment and accessibility.
// With POSTRIDER_TEST_SCREENSHOTS=<folder>, a picture of each mail is stored there.
// full-run: browser
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { accessibilityViolations } from '../support/axe.ts';
import { hebrew } from '../support/hebrew-starters.ts';
import { MailBrowser } from '../support/mail-browser.ts';
import { suiteInBrowser } from '../support/page-browser.ts';
import { exampleCases, hardCases, type StarterMail, sendStarters } from '../support/starter-mails.ts';

const languages = ['de', 'ja', 'ar', 'he'] as const;
const starters = { languages: [...languages], texts: { he: hebrew } };
const cases = [
  ...exampleCases.filter(({ name }) => name === 'full'),
  ...hardCases.filter(({ name }) => name === 'long' || name === 'delivered'),
];
const pictures = process.env['POSTRIDER_TEST_SCREENSHOTS'];

const test = suiteInBrowser('languages of the starters in a browser', {
  title: 'each starter becomes a mail in Arabic',
  async run() {
    assert.is((await sendStarters(cases, { starters, locale: 'ar' })).length, cases.length);
  },
});

interface LocalMail extends StarterMail {
  readonly locale: (typeof languages)[number];
  readonly label: string;
}

let browser: MailBrowser;
const mails: LocalMail[] = [];

test.before(async () => {
  for (const locale of languages)
    for (const mail of await sendStarters(cases, { starters, locale }))
      mails.push({ ...mail, locale, label: `${locale}, ${mail.key}, ${mail.name}` });
  browser = await MailBrowser.open();
});
test.after(() => browser.close());

const takeScreenshot = async (page: Page, { locale, key, name }: LocalMail, look: string) => {
  if (pictures === undefined) return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${key}-${name}-${locale}-${look}.png`), fullPage: true });
};

test('no part is wider than the screen at 320 and 600 px, light and dark, and every text is legible', async () => {
  for (const mail of mails) {
    for (const width of [320, 600]) {
      for (const look of ['light', 'dark'] as const) {
        const { scrollWidth, edges, texts, language } = await browser.measure(mail.html, width, look);
        const label = `${mail.label}, ${width}, ${look}`;
        assert.equal([scrollWidth, language], [width, mail.locale], label);
        assert.ok(edges.left >= 16 && edges.right <= width - 16, `${label}: ${edges.left} to ${edges.right}`);
        for (const { text, contrast, size } of texts)
          assert.ok(contrast >= 4.5 && size >= 14, `${label}: ${contrast} and ${size} px for “${text}”`);
        if (mail.name === 'full')
          await browser.show(mail.html, width, look, (page) => takeScreenshot(page, mail, `${width}-${look}`));
      }
    }
  }
});

/** The sides at which the heading and the button begin (left, right or center), and the letter spacing of large texts. */
const alignmentsOf = (page: Page) =>
  page.evaluate<{ heading: string; button: string | undefined; letterSpacing: string[] }>(`(() => {
    const side = (element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      const { left, right } = range.getClientRects()[0];
      const { left: from, right: to } = element.closest('td').getBoundingClientRect();
      const [before, after] = [left - from, to - right];
      return Math.abs(before - after) < 4 ? 'center' : before < after ? 'left' : 'right';
    };
    const link = [...document.querySelectorAll('.button a')][0];
    return {
      heading: side(document.querySelector('h1')),
      button: link && side(link.closest('table')),
      letterSpacing: [...document.querySelectorAll('h1, h2, .display div')].map((each) => getComputedStyle(each).letterSpacing),
    };
  })()`);

test('in Arabic and Hebrew the mail begins at the right, and has no letter spacing', async () => {
  for (const mail of mails.filter(({ name }) => name === 'full')) {
    const { heading, button, letterSpacing } = await browser.show(mail.html, 600, 'light', alignmentsOf);
    const start = mail.locale === 'ar' || mail.locale === 'he' ? 'right' : 'left';
    const centered = mail.key === 'login-code' || mail.key === 'invitation';
    // The receipt has its number at the end of the line, opposite to the name.
    const end = start === 'right' ? 'left' : 'right';
    assert.is(heading, centered ? 'center' : mail.key === 'receipt' ? end : start, mail.label);
    if (button !== undefined) assert.is(button, centered ? 'center' : start, mail.label);
    if (start === 'right')
      assert.ok(
        letterSpacing.every((each) => /^(?:normal|0px)$/.test(each)),
        mail.label,
      );
  }
});

test('amounts, codes and addresses keep their order inside of Arabic and Hebrew', async () => {
  /** True if the first letter of the text is drawn to the left of its last letter, undefined if the mail does not show the text. */
  const order = (page: Page, text: string) =>
    page.evaluate<boolean>(`(() => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const at = node.textContent.indexOf(${JSON.stringify(text)});
        if (at < 0 || node.parentElement.getBoundingClientRect().height < 5) continue;
        const range = document.createRange();
        const place = (index) => {
          range.setStart(node, at + index);
          range.setEnd(node, at + index + 1);
          return range.getBoundingClientRect().left;
        };
        return place(0) < place(${text.length - 1});
      }
      return undefined;
    })()`);
  const expected: Readonly<Record<string, readonly string[]>> = {
    receipt: ['96.50 EUR', '64.50 EUR', 'NW-1041'],
    'login-code': ['482913'],
    'magic-link': ['https://app'],
    'shipping-notice': ['FP 4471', 'Thursday, 26 November', '24 Nov, 10:12'],
    welcome: ['grace@example.com', 'help@northwind.example'],
  };
  for (const mail of mails.filter(({ name, locale }) => name === 'full' && (locale === 'ar' || locale === 'he')))
    for (const text of expected[mail.key] ?? [])
      assert.is(
        await browser.show(mail.html, 600, 'light', (page) => order(page, text)),
        true,
        `${mail.label}: ${text}`,
      );
});

test('axe finds no serious fault', async () => {
  for (const mail of mails.filter(({ name }) => name === 'full')) {
    for (const look of ['light', 'dark'] as const) {
      const found = await browser.show(mail.html, 600, look, accessibilityViolations);
      // A mail program shows the mail inside of its own landmarks.
      const faults = found.filter((each) => !each.startsWith('region:'));
      assert.equal(faults, [], `${mail.label}, ${look}`);
    }
  }
});

test.run();

// Every page that visitors see, and every mail that the service writes itself, in a real browser: narrow and wide, light and dark,
// from left to right and from right to left. POSTRIDER_TEST_SCREENSHOTS=FOLDER stores pictures of all of them for a review by eye;
// test/support/contact-sheets.ts puts them on sheets.
// time-limit: 900
// full-run: browser
import type { Browser, Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { accessibilityViolations } from '../support/axe.ts';
import { closeServer } from '../support/based-server.ts';
import { lowContrastTexts, overflow } from '../support/inbox-visit.ts';
import { MailBrowser } from '../support/mail-browser.ts';
import { openBrowser, openPage, suiteInBrowser } from '../support/page-browser.ts';
import { openVisitorPages, type VisitorPage, visitorMails } from '../support/visitor-pages.ts';
import { type SampleLanguage, sampleWords } from '../support/visitor-words.ts';

const test = suiteInBrowser<{ browser: Browser }>('every page for visitors in a browser', {
  title: 'the pages are served without a browser, too',
  async run() {
    const { server, bench, pages } = await openVisitorPages('ar');
    assert.ok(pages.length >= 50);
    await closeServer(server);
    await bench.close();
  },
});

test.before(async (context) => {
  context.browser = await openBrowser();
});
test.after(({ browser }) => browser.close());

/** The words that can be seen before scrolling. A string, because it runs in the page. */
const firstScreen = `[...document.querySelectorAll('h1,h2,p,label,button,a,span')].filter((one) => {
  const { left, top, right, bottom, width, height } = one.getBoundingClientRect();
  return width > 4 && height > 4 && left >= 0 && right <= innerWidth + 1 && top < innerHeight && bottom > 0;
}).map((one) => one.textContent.trim()).join(' ').length`;

/** Texts that begin or end outside of the element that holds them, or of the window. A string, because it runs in the page. */
const clippedTexts = `[...document.querySelectorAll('h1,h2,h3,p,li,dt,dd,label,legend,button,summary,figcaption,th,td,a,.mark')].filter((one) => {
  if (!one.checkVisibility() || one.closest('.unseen,.skip,.trap,.table,pre')) return false;
  const { left, right } = one.getBoundingClientRect();
  return left < -1 || right > innerWidth + 1 || one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0 && getComputedStyle(one).display !== 'inline';
}).map((one) => one.outerHTML.slice(0, 200))`;

/** The words in Latin letters that visitors read, hear or see in the window's title. A string, because it runs in the page. */
const latinWords = `(() => {
  const texts = [document.title];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    if (!node.parentElement.closest('[aria-hidden=true],style,script,code,pre')) texts.push(node.textContent);
  for (const one of document.querySelectorAll('[aria-label],[alt],[title],[placeholder]'))
    for (const name of ['aria-label', 'alt', 'title', 'placeholder']) texts.push(one.getAttribute(name) ?? '');
  return [...new Set(texts.join(' ').replace(/[\\w.]+@[\\w.]+|req_\\w+/g, ' ').match(/[A-Za-z]{2,}/g) ?? [])];
})()`;

/** Latin words in the contents of the samples, and the names of formats. */
const knownLatin = new Set(['Acme', 'Berlin', 'Postrider', 'RSS', 'EUR', 'UTC', 'com', 'example', 'https']);

const folder = process.env.POSTRIDER_TEST_SCREENSHOTS;
const saveScreenshot = async (page: Page, name: string): Promise<void> => {
  if (folder !== undefined)
    await page.screenshot({ path: `${folder}/${name.replaceAll(' ', '-')}.png`, fullPage: true });
};

/** A page of fixed words is in the browser's language if the service has words in this language, or else in English. */
const directionOf = (language: SampleLanguage, { hasContent = false }: VisitorPage): string =>
  language === 'ar' || (language === 'he' && hasContent) ? 'rtl' : 'ltr';

/** Fills in the fields of a form and presses its button. */
async function press(page: Page, { button, fields = {}, times = 1 }: NonNullable<VisitorPage['press']>): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    const pressed = page.locator(button).first();
    const form = pressed.locator('xpath=ancestor::form');
    for (const [name, value] of Object.entries(fields)) await form.locator(`[name="${name}"]`).fill(value);
    await Promise.all([page.waitForNavigation(), pressed.click()]);
  }
}

const looks = [
  [320, 'light'],
  [320, 'dark'],
  [1280, 'light'],
  [1280, 'dark'],
] as const;

/** Pages that show no sender, because the sender is unknown or must not be revealed. */
const anonymous = new Set(['unknown link', 'no picture']);

for (const language of Object.keys(sampleWords) as SampleLanguage[])
  test(`in ${language}, every page fits, is not blank, is accessible and shows its sender`, async ({ browser }) => {
    const { bench, server, pages } = await openVisitorPages(language);
    const { brand } = sampleWords[language];
    const options = { viewport: { width: 320, height: 640 }, locale: language };
    const { page, pageErrors } = await openPage(browser, options);
    // The policy of some pages stops every script, and axe needs them: it gets a copy without a policy.
    const { page: copy } = await openPage(browser, options);
    try {
      for (const shown of pages) {
        await page.setViewportSize({ width: 320, height: 640 });
        await page.goto(shown.url);
        if (shown.press !== undefined) await press(page, shown.press);
        const at = (width: number, scheme: string) => `${shown.name}, ${language}, ${width}, ${scheme}`;
        assert.is(
          await page.evaluate('getComputedStyle(document.body).direction'),
          directionOf(language, shown),
          shown.name,
        );
        for (const [width, colorScheme] of looks) {
          await page.setViewportSize({ width, height: width === 320 ? 640 : 900 });
          await page.emulateMedia({ colorScheme });
          assert.is(await page.evaluate(overflow), 0, at(width, colorScheme));
          assert.ok((await page.evaluate<number>(firstScreen)) > 10, `not blank: ${at(width, colorScheme)}`);
          assert.equal(await page.evaluate(clippedTexts), [], `clipped: ${at(width, colorScheme)}`);
          assert.equal(await page.evaluate(lowContrastTexts), [], at(width, colorScheme));
          await saveScreenshot(page, `${language}-${shown.name}-${width}-${colorScheme}`);
          if (width === 1280) continue;
          await copy.emulateMedia({ colorScheme });
          await copy.setContent(await page.content());
          assert.equal(await accessibilityViolations(copy), [], at(width, colorScheme));
        }
        const latin = (await page.evaluate<string[]>(latinWords)).filter((word) => !knownLatin.has(word));
        if (language === 'ar' || language === 'ja') assert.equal(latin, [], `words of another language: ${shown.name}`);
        const icon = await page.locator('link[rel=icon]').getAttribute('href');
        assert.match(icon ?? '', /^(data:image\/svg|http)/, `an icon: ${shown.name}`);
        if (!anonymous.has(shown.name))
          assert.match(await page.content(), brand.replace('&', '&amp;'), `the sender: ${shown.name}`);
        assert.equal(
          pageErrors.filter((error) => /Content Security|Refused/i.test(error)),
          [],
          shown.name,
        );
      }
    } finally {
      await page.context().close();
      await copy.context().close();
      await closeServer(server);
      await bench.close();
    }
  });

/** The side of its row at which a text begins. A string, because it runs in the page. */
const sideOfHeading = `(() => {
  const heading = document.querySelector('h1');
  const range = document.createRange();
  range.selectNodeContents(heading);
  const { left, right } = range.getClientRects()[0];
  const { left: from, right: to } = heading.getBoundingClientRect();
  return left - from < to - right ? 'left' : 'right';
})()`;

test('the mails of the service fit at 320 and 600 pixels, light and dark, in the direction of their words', async () => {
  const browser = await MailBrowser.open();
  try {
    for (const language of Object.keys(sampleWords) as SampleLanguage[]) {
      const mails = await visitorMails(language);
      assert.is(mails.length, 2);
      // There are no built-in words in Hebrew: the mail is in English, and reads as English does.
      const spoken = language === 'he' ? 'en' : language;
      for (const { name, html } of mails)
        for (const width of [320, 600])
          for (const look of ['light', 'dark'] as const) {
            const at = `${name}, ${language}, ${width}, ${look}`;
            const measured = await browser.measure(html, width, look);
            assert.equal([measured.scrollWidth, measured.language], [width, spoken], at);
            const { edges, texts, imagesWithoutAlt: mute, headings } = measured;
            assert.ok(edges.left >= 16 && edges.right <= width - 16, `${at}: ${edges.left} to ${edges.right}`);
            for (const { text, contrast, size } of texts)
              assert.ok(contrast >= 4.5 && size >= 14, `${at}: ${contrast} and ${size} px for “${text}”`);
            assert.equal([mute, headings], [[], [1]], at);
            await browser.show(html, width, look, async (page) => {
              assert.is(await page.evaluate(sideOfHeading), spoken === 'ar' ? 'right' : 'left', at);
              assert.equal(
                // A mail program shows the mail inside of its own landmarks.
                (await accessibilityViolations(page)).filter((fault) => !fault.startsWith('region:')),
                [],
                at,
              );
              await saveScreenshot(page, `mail-${language}-${name}-${width}-${look}`);
            });
          }
    }
  } finally {
    await browser.close();
  }
});

test.run();

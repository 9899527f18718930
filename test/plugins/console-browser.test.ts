// The console in a real browser below a base path: the way from a customer's address to the reason why a mail was not sent, wide and
// narrow, light and dark, with and without scripts. With POSTRIDER_TEST_SCREENSHOTS=FOLDER it saves screenshots there.
// full-run: browser
import type { Browser, Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { accessibilityViolations } from '../support/axe.ts';
import { browserHeaders, type ConsoleBench, openConsoleBench } from '../support/console-bench.ts';
import { saveScreenshot, visitUnderBasePath } from '../support/console-visit.ts';
import { inPage, lowContrastTexts, overflow } from '../support/inbox-visit.ts';
import { openBrowser, suiteInBrowser } from '../support/page-browser.ts';

const test = suiteInBrowser<{ browser: Browser }>('the console in a browser', {
  title: 'the server returns the console',
  async run() {
    const bench = await openConsoleBench();
    assert.is((await bench.ask('', browserHeaders)).status, 303);
    await bench.close();
  },
});

test.before(async (context) => {
  context.browser = await openBrowser();
});
test.after(({ browser }) => browser.close());

/** The preview of the mail has a picture from another server, which the browser must refuse to load. */
const isUnexpected = (error: string): boolean => !error.includes('https://elsewhere.example/dot.png');

/** Clicks four times from the list of contacts: shows the address, then opens the contact, its mail and the template of the mail. */
async function findReason(page: Page, origin: string, bench: ConsoleBench, check: (name: string) => Promise<void>) {
  await page.goto(`${origin}/console/${bench.workspaceId}/contacts`);
  await check('contacts');
  await page.getByLabel('Address or external id').fill('grace@example.com');
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByRole('link', { name: 'grace@example.com' }).click();
  await page.getByRole('heading', { level: 1, name: 'grace@example.com' }).waitFor();
  await check('contact');
  await page.getByRole('link', { name: 'Your receipt A-17' }).click();
  await page.getByText('It was not sent. The recipient is suppressed: hard_bounce').waitFor();
  await check('send');
  await page.locator('.facts').getByRole('link', { name: 'order_receipt' }).click();
  await page.getByRole('heading', { level: 1, name: 'Receipt' }).waitFor();
  await page.frameLocator('iframe').getByText('Thank you').waitFor();
  await check('template');
}

for (const colorScheme of ['light', 'dark'] as const)
  test(`in ${colorScheme}, four clicks lead from an address to the reason, at 1280, 900, 390 and 320 px`, async ({
    browser,
  }) => {
    const bench = await openConsoleBench();
    const options = { colorScheme, viewport: { width: 1280, height: 900 } };
    await visitUnderBasePath(browser, bench, options, async ({ page, origin, pageErrors }) => {
      for (const width of [1280, 900, 390, 320]) {
        await page.setViewportSize({ width, height: 800 });
        await findReason(page, origin, bench, async (name) => {
          assert.equal(await accessibilityViolations(page), [], `${name} at ${width} px`);
          assert.equal(await inPage(page, lowContrastTexts), [], `${name} at ${width} px`);
          assert.ok((await inPage<number>(page, overflow)) <= 0, `${name} at ${width} px`);
          await saveScreenshot(page, `console-${name}-${colorScheme}-${width}`);
        });
      }
      assert.equal(pageErrors.filter(isUnexpected), []);
    });
  });

test('without scripts all pages can be read, the drawer opens, and a send can be canceled', async ({ browser }) => {
  const bench = await openConsoleBench();
  const { id } = await bench.send('ada@example.com', { send_at: '2026-11-21T12:00:00Z' });
  const options = { javaScriptEnabled: false, viewport: { width: 390, height: 800 } };
  await visitUnderBasePath(browser, bench, options, async ({ page, origin, pageErrors }) => {
    await findReason(page, origin, bench, async () => undefined);
    await page.getByText('Menu', { exact: true }).click();
    await page.locator('.sheet').getByRole('link', { name: 'Sends' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sends' }).waitFor();
    await page.goto(`${origin}/console/${bench.workspaceId}/sends/${id}`);
    await page.getByText('Cancel this send').click();
    await page.getByRole('button', { name: 'Cancel the send' }).click();
    await page.getByText('The send was canceled. Nothing will be sent.').waitFor();
    assert.equal(pageErrors.filter(isUnexpected), []);
  });
});

test('the keyboard can skip to the content and open the filter, and pages fit in both writing directions', async ({
  browser,
}) => {
  const bench = await openConsoleBench();
  await visitUnderBasePath(browser, bench, { viewport: { width: 1280, height: 800 } }, async ({ page, origin }) => {
    await page.goto(`${origin}/console/${bench.workspaceId}/contacts`);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    assert.is(await inPage(page, 'location.hash'), '#main');
    await page.keyboard.press('/');
    assert.is(await inPage(page, 'document.activeElement.name'), 'search');
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      await inPage(page, "document.documentElement.dir = 'rtl'");
      assert.ok((await inPage<number>(page, overflow)) <= 0, `right to left at ${width} px`);
      await saveScreenshot(page, `console-rtl-${width}`);
    }
  });
});

test('Ctrl+K opens the search, the arrow keys choose, Enter opens a page; Escape leads back', async ({ browser }) => {
  const bench = await openConsoleBench();
  await visitUnderBasePath(browser, bench, { viewport: { width: 1280, height: 800 } }, async (visit) => {
    const { page, origin, pageErrors } = visit;
    await page.goto(`${origin}/console/${bench.workspaceId}/templates`);
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Search' }).waitFor();
    await page.keyboard.type('grace@example.com');
    const match = page.getByRole('dialog').getByRole('link', { name: 'grace@example.com', exact: true });
    await match.waitFor();
    assert.equal(await accessibilityViolations(page), []);
    await saveScreenshot(page, 'console-palette');
    await page.keyboard.press('Escape');
    assert.is(await page.getByRole('dialog').count(), 0);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('con_');
    await page.getByRole('dialog').getByText('Nothing here has this id').waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('grace@example.com');
    await match.waitFor();
    await page.keyboard.press('ArrowUp');
    assert.is(await inPage(page, 'document.activeElement.textContent'), 'grace@example.com');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'grace@example.com' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('order_receipt');
    await page.getByRole('dialog').getByRole('link', { name: 'Receipt' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Receipt' }).waitFor();
    assert.equal(pageErrors.filter(isUnexpected), []);
  });
});

test('a person chooses a file of contacts, checks it and imports it, wide and narrow', async ({ browser }) => {
  const bench = await openConsoleBench();
  await visitUnderBasePath(browser, bench, { viewport: { width: 1280, height: 900 } }, async (visit) => {
    const { page, origin, pageErrors } = visit;
    for (const width of [1280, 320]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`${origin}/console/${bench.workspaceId}/contacts`);
      await page.getByRole('link', { name: 'Import contacts' }).click();
      const csv = `E-Mail,Name\nzoe${width}@example.com,Zoë\nnowhere,فاطمة\n`;
      const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
      await page.locator('input[type="file"]').setInputFiles(file);
      const check = async (name: string) => {
        assert.equal(await accessibilityViolations(page), [], `${name} at ${width} px`);
        assert.ok((await inPage<number>(page, overflow)) <= 0, `${name} at ${width} px`);
        await saveScreenshot(page, `console-${name}-${width}`);
      };
      await check('import');
      await page.getByRole('button', { name: 'Check the file' }).click();
      await page.getByText('2 rows: 1 new contact').waitFor();
      await check('import-check');
      await page.getByRole('button', { name: 'Import 1 row' }).click();
      await page.getByRole('heading', { level: 1, name: 'Import of contacts' }).waitFor();
      await bench.drain();
      await page.reload();
      await page.getByText('The import is done.').waitFor();
      await check('imported');
    }
    assert.equal(pageErrors.filter(isUnexpected), []);
  });
});

test.run();

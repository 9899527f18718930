// time-limit: 120
// The pages of sequences in a real browser, below a base path, in light, dark and narrow. With POSTRIDER_TEST_SCREENSHOTS=FOLDER it
// saves screenshots there.
// full-run: browser
import type { Browser } from 'playwright-core';
import * as assert from 'uvu/assert';
import { accessibilityViolations } from '../support/axe.ts';
import { saveScreenshot, visitUnderBasePath } from '../support/console-visit.ts';
import { inPage, lowContrastTexts, overflow, until } from '../support/inbox-visit.ts';
import { openBrowser, suiteInBrowser } from '../support/page-browser.ts';
import { openSequenceConsoleBench } from '../support/sequence-console-bench.ts';

const test = suiteInBrowser<{ browser: Browser }>('the pages of sequences in a browser', {
  title: 'the server returns the page',
  async run() {
    const bench = await openSequenceConsoleBench();
    assert.is((await bench.page('/sequences')).status, 200);
    await bench.close();
  },
});

test.before(async (context) => {
  context.browser = await openBrowser();
});
test.after(({ browser }) => browser.close());

/** The captions of tables that are wider than their container. */
const cutTables =
  "[...document.querySelectorAll('table')].filter((table) => table.scrollWidth > table.parentElement.clientWidth).map((table) => table.caption.textContent)";

for (const colorScheme of ['light', 'dark'] as const)
  test(`in ${colorScheme} the keyboard leads from the list to a run, at widths down to 320 px`, async ({ browser }) => {
    const bench = await openSequenceConsoleBench();
    const options = { colorScheme, viewport: { width: 1280, height: 900 } };
    await visitUnderBasePath(browser, bench, options, async ({ page, origin, pageErrors }) => {
      for (const width of [1280, 820, 390, 320]) {
        await page.setViewportSize({ width, height: 800 });
        await page.goto(`${origin}/console/${bench.workspaceId}/sequences`);
        for (const step of ['list', 'sequence', 'run'] as const) {
          assert.equal(await accessibilityViolations(page), [], `${step} at ${width} px`);
          assert.equal(await inPage(page, lowContrastTexts), [], `${step} at ${width} px`);
          assert.ok((await inPage<number>(page, overflow)) <= 0, `${step} at ${width} px`);
          assert.equal(await inPage(page, cutTables), [], `${step} at ${width} px`);
          await saveScreenshot(page, `sequences-${step}-${colorScheme}-${width}`);
          if (step === 'run') break;
          const name = step === 'list' ? '<i>Trial</i>' : 'ada@example.com';
          await page.getByRole('main').getByRole('link', { name }).focus();
          await page.keyboard.press('Enter');
          await page.getByRole('heading', { level: 1, name }).waitFor();
          await until(
            page,
            "document.querySelector('main img').complete && document.querySelector('main img').naturalWidth > 200",
          );
        }
        await page.getByText('text · Skipped: no_phone').waitFor();
      }
      assert.equal(pageErrors, []);
    });
  });

test.run();

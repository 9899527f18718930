// time-limit: 120
// The pages of short links in a real browser below a base path: the charts are drawn without scripts, light and dark, wide and narrow.
// full-run: browser
import type { Browser } from 'playwright-core';
import * as assert from 'uvu/assert';
import { accessibilityViolations } from '../support/axe.ts';
import { saveScreenshot, visitUnderBasePath } from '../support/console-visit.ts';
import { inPage, lowContrastTexts, overflow } from '../support/inbox-visit.ts';
import { openLinksConsole } from '../support/links-console-bench.ts';
import { openBrowser, suiteInBrowser } from '../support/page-browser.ts';

const test = suiteInBrowser<{ browser: Browser }>('the pages of links in a browser', {
  title: 'the server returns the list',
  async run() {
    const bench = await openLinksConsole();
    assert.is((await bench.page('/links')).status, 200);
    await bench.close();
  },
});

test.before(async (context) => {
  context.browser = await openBrowser();
});
test.after(({ browser }) => browser.close());

for (const colorScheme of ['light', 'dark'] as const)
  test(`in ${colorScheme} a person finds a link, and its charts are drawn, at 1280 and 320 px`, async ({ browser }) => {
    const bench = await openLinksConsole();
    await visitUnderBasePath(browser, bench, { colorScheme }, async ({ page, origin, pageErrors }) => {
      for (const width of [1280, 320]) {
        await page.setViewportSize({ width, height: 800 });
        await page.goto(`${origin}/console/${bench.workspaceId}/links`);
        await page.getByLabel('Slug, label or destination').fill('spring');
        await page.getByRole('button', { name: 'Show' }).click();
        await page.getByRole('link', { name: '<b>Spring</b> sale' }).click();
        await page.getByRole('link', { name: '7 days' }).click();
        await page.getByRole('heading', { name: 'Clicks by day (UTC)' }).waitFor();
        const drawn = await inPage<boolean>(
          page,
          "[...document.querySelectorAll('img.chart')].every((image) => image.complete && image.naturalWidth > 0)",
        );
        assert.ok(drawn, `the charts are drawn at ${width} px`);
        await page.getByText('The figures as a table').first().click();
        assert.is(await page.getByRole('table').first().getByRole('row').count(), width === 320 ? 7 : 8);
        assert.equal(await accessibilityViolations(page), [], `${width} px`);
        assert.equal(await inPage(page, lowContrastTexts), [], `${width} px`);
        assert.ok((await inPage<number>(page, overflow)) <= 0, `${width} px`);
        await saveScreenshot(page, `links-${colorScheme}-${width}`);
      }
      assert.equal(pageErrors, []);
    });
  });

test.run();

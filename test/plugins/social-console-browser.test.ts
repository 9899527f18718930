// time-limit: 120
// The pages of social posts in a real browser, below a base path, in light, dark and narrow. With POSTRIDER_TEST_SCREENSHOTS=FOLDER
// it saves screenshots there.
// full-run: browser
import type { Browser } from 'playwright-core';
import * as assert from 'uvu/assert';
import { accessibilityViolations } from '../support/axe.ts';
import { saveScreenshot, visitUnderBasePath } from '../support/console-visit.ts';
import { inPage, lowContrastTexts, overflow } from '../support/inbox-visit.ts';
import { openBrowser, suiteInBrowser } from '../support/page-browser.ts';
import { openSocialConsoleBench } from '../support/social-console-bench.ts';

const test = suiteInBrowser<{ browser: Browser }>('the pages of social posts in a browser', {
  title: 'the server returns the page',
  async run() {
    const bench = await openSocialConsoleBench();
    assert.is((await bench.page('/social')).status, 200);
    await bench.close();
  },
});

test.before(async (context) => {
  context.browser = await openBrowser();
});
test.after(({ browser }) => browser.close());

for (const colorScheme of ['light', 'dark'] as const)
  test(`in ${colorScheme} the pages are legible, fit from 320 px, and work by keyboard`, async ({ browser }) => {
    const bench = await openSocialConsoleBench();
    const options = { colorScheme, viewport: { width: 1280, height: 900 } };
    await visitUnderBasePath(browser, bench, options, async ({ page, origin, pageErrors }) => {
      const address = `${origin}/console/${bench.workspaceId}`;
      const paths = ['social', 'social?view=week', 'social/posts', `social/posts/${bench.picture.id}`, 'social-events'];
      for (const width of [1280, 390, 320]) {
        await page.setViewportSize({ width, height: 800 });
        for (const [index, path] of paths.entries()) {
          await page.goto(`${address}/${path}`);
          assert.equal(await accessibilityViolations(page), [], `${path} at ${width} px`);
          assert.equal(await inPage(page, lowContrastTexts), [], `${path} at ${width} px`);
          assert.ok((await inPage<number>(page, overflow)) <= 0, `${path} at ${width} px`);
          await saveScreenshot(page, `social-${index}-${colorScheme}-${width}`);
        }
      }
      await page.goto(`${address}/social`);
      await page.getByRole('link', { name: 'Week' }).press('Enter');
      await page.getByRole('heading', { level: 1, name: /^Week from/ }).waitFor();
      await page.getByRole('main').getByRole('link', { name: 'Posts', exact: true }).press('Enter');
      await page.getByRole('link', { name: 'Later', exact: true }).press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Later' }).waitFor();
      assert.equal(pageErrors, []);
    });
  });

test.run();

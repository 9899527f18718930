// time-limit: 120
// The page of connected apps in a real browser, at widths down to 320 px: a person ends the access of an app by keyboard. With
// POSTRIDER_TEST_SCREENSHOTS=FOLDER it saves screenshots there.
// full-run: browser
import type { Browser } from 'playwright-core';
import * as assert from 'uvu/assert';
import { accessibilityViolations } from '../support/axe.ts';
import { connectApp } from '../support/connected-app.ts';
import { openConsoleBench } from '../support/console-bench.ts';
import { saveScreenshot, visitUnderBasePath } from '../support/console-visit.ts';
import { inPage, lowContrastTexts, overflow } from '../support/inbox-visit.ts';
import { openBrowser, suiteInBrowser } from '../support/page-browser.ts';

const longName = 'Assistant für sehr lange Namen, die niemand je zu Ende liest und die trotzdem passen müssen';

async function openBench() {
  const bench = await openConsoleBench({
    members: [{ uid: 'u_sue', name: 'Sue', email: 'sue@example.com', role: 'Owner' }],
  });
  await connectApp(bench, 'Claude');
  bench.advanceClock(86_400_000 / 2);
  await connectApp(bench, longName, {
    client: { id: 'c_1', name: longName, host: null },
    member: 'u_0123456789abcdef0123456789abcdef',
    sandbox: true,
    leash: { sendsPerHour: 20, recipientsPerDay: 100, recipientDomains: ['example.com', 'a-long-name.example.org'] },
  });
  return bench;
}

const test = suiteInBrowser<{ browser: Browser }>('connected apps in a browser', {
  title: 'the server returns the page',
  async run() {
    const bench = await openBench();
    assert.is((await bench.page('/connected-apps')).status, 200);
    await bench.close();
  },
});

test.before(async (context) => {
  context.browser = await openBrowser();
});
test.after(({ browser }) => browser.close());

for (const colorScheme of ['light', 'dark'] as const)
  test(`in ${colorScheme} the page fits with the rights and the question open, and a person ends the access of an app`, async ({
    browser,
  }) => {
    const bench = await openBench();
    const options = { colorScheme, viewport: { width: 1280, height: 900 } };
    await visitUnderBasePath(browser, bench, options, async ({ page, origin, pageErrors }) => {
      for (const width of [1280, 820, 320]) {
        await page.setViewportSize({ width, height: 800 });
        await page.goto(`${origin}/console/${bench.workspaceId}/connected-apps`);
        await page.getByText('2 rights').first().click();
        await saveScreenshot(page, `connected-apps-rights-${colorScheme}-${width}`);
        await page.locator('summary', { hasText: 'End access' }).first().click();
        assert.equal(await accessibilityViolations(page), [], `at ${width} px`);
        assert.equal(await inPage(page, lowContrastTexts), [], `at ${width} px`);
        assert.ok((await inPage<number>(page, overflow)) <= 0, `at ${width} px`);
        await saveScreenshot(page, `connected-apps-${colorScheme}-${width}`);
      }
      await page.getByRole('button', { name: 'End the access' }).focus();
      await page.keyboard.press('Enter');
      await page.getByText('The access has ended.').waitFor();
      assert.is((await bench.calls.oauth.grants()).data.length, 1);
      assert.equal(pageErrors, []);
    });
  });

test.run();

// A marketer builds a segment in a browser: each change of the form updates the count; without scripts, a button updates it.
// time-limit: 240
// full-run: browser
import type { Browser } from 'playwright-core';
import * as assert from 'uvu/assert';
import { accessibilityViolations } from '../support/axe.ts';
import { openConsoleBench } from '../support/console-bench.ts';
import { saveScreenshot, visitUnderBasePath } from '../support/console-visit.ts';
import { inPage, lowContrastTexts, overflow } from '../support/inbox-visit.ts';
import { openBrowser, suiteInBrowser } from '../support/page-browser.ts';

const test = suiteInBrowser<{ browser: Browser }>('building a segment in a browser', {
  title: 'the server returns the page',
  async run() {
    const bench = await openConsoleBench();
    assert.is((await bench.page('/segments/new')).status, 200);
    await bench.close();
  },
});

test.before(async (context) => {
  context.browser = await openBrowser();
});
test.after(({ browser }) => browser.close());

for (const colorScheme of ['light', 'dark'] as const)
  test(`in ${colorScheme}, each change of the form updates the count, at 1280 and 320 px`, async ({ browser }) => {
    const bench = await openConsoleBench();
    const { listId } = await bench.calls.lists.create({ name: 'News' });
    await bench.calls.lists.membersAdd({ listId, contactIds: [bench.ada.id] });
    await bench.drain();
    const options = { colorScheme, viewport: { width: 1280, height: 900 } };
    await visitUnderBasePath(browser, bench, options, async ({ page, origin, pageErrors }) => {
      const main = page.locator('main');
      await page.goto(`${origin}/console/${bench.workspaceId}/segments`);
      await main.getByRole('link', { name: 'New segment' }).click();
      await main.getByText('2 contacts now.').waitFor();
      await main.getByLabel('A condition about').selectOption('Attribute, a text');
      await main.getByRole('button', { name: 'Add the condition' }).click();
      await main.getByText('One condition is not complete').waitFor();
      // The keyboard continues in the new condition.
      await page.locator('[name="g0c0.name"]:focus').waitFor();
      await page.keyboard.type('plan');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.type('pro');
      await main.getByText('1 contact now.').waitFor();
      await main.getByText('Contacts where “plan” is “pro”.').waitFor();
      await main.getByLabel('A condition about').selectOption('List');
      await main.getByRole('button', { name: 'Add the condition' }).click();
      await main.getByRole('combobox', { name: 'List' }).selectOption('News');
      await main.getByText('Contacts where “plan” is “pro” and they are on the list “News”.').waitFor();
      await main.getByRole('combobox', { name: 'Comparison' }).nth(1).selectOption('is not on the list');
      await main.getByText('0 contacts now.').waitFor();
      await main.getByLabel('Who is in the segment').selectOption('None of these is true');
      await main.getByLabel('Name', { exact: true }).fill('Others');
      for (const width of [1280, 320]) {
        await page.setViewportSize({ width, height: 900 });
        assert.equal(await accessibilityViolations(page), [], `${width} px`);
        assert.equal(await inPage(page, lowContrastTexts), [], `${width} px`);
        assert.ok((await inPage<number>(page, overflow)) <= 0, `${width} px`);
        await saveScreenshot(page, `segment-builder-${colorScheme}-${width}`);
      }
      await main.getByRole('button', { name: 'Create the segment' }).click();
      await main.getByRole('heading', { level: 1, name: 'Others' }).waitFor();
      await saveScreenshot(page, `segment-${colorScheme}`);
      assert.equal(await accessibilityViolations(page), []);
      assert.equal(pageErrors, []);
    });
  });

test('without scripts, a segment is built with buttons', async ({ browser }) => {
  const bench = await openConsoleBench();
  const options = { javaScriptEnabled: false, viewport: { width: 390, height: 800 } };
  await visitUnderBasePath(browser, bench, options, async ({ page, origin, pageErrors }) => {
    const main = page.locator('main');
    await page.goto(`${origin}/console/${bench.workspaceId}/segments/new`);
    await main.getByLabel('A condition about').selectOption('Address');
    await main.getByRole('button', { name: 'Add the condition' }).click();
    await main.getByLabel('Comparison').selectOption('begins with');
    await main.getByLabel('Value').fill('grace');
    await main.getByRole('button', { name: 'Count again' }).click();
    await main.getByText('1 contact now.').waitFor();
    await main.getByRole('button', { name: 'Add a group' }).click();
    await main.getByRole('button', { name: 'Remove group 2' }).click();
    await main.getByRole('button', { name: /^Remove condition 1/ }).click();
    await main.getByText('2 contacts now.').waitFor();
    await main.getByLabel('Name', { exact: true }).fill('Everybody');
    await main.getByRole('button', { name: 'Create the segment' }).click();
    await main.getByRole('heading', { level: 1, name: 'Everybody' }).waitFor();
    assert.equal(pageErrors, []);
  });
});

test.run();

// time-limit: 120
// The form of a segment in a real browser, with three comparisons of an event's data: it fits at widths down to 320 px, and its button
// adds a comparison. With POSTRIDER_TEST_SCREENSHOTS=FOLDER it saves screenshots there.
// full-run: browser
import type { Browser } from 'playwright-core';
import * as assert from 'uvu/assert';
import type { SegmentFilter } from '../../plugins/segments/filter-schema.ts';
import { accessibilityViolations } from '../support/axe.ts';
import { openConsoleBench } from '../support/console-bench.ts';
import { saveScreenshot, visitUnderBasePath } from '../support/console-visit.ts';
import { inPage, lowContrastTexts, overflow } from '../support/inbox-visit.ts';
import { openBrowser, suiteInBrowser } from '../support/page-browser.ts';

const filter: SegmentFilter = {
  all: [
    { path: 'contact.attributes.plan', op: 'eq', value: 'pro' },
    {
      did: 'order.placed',
      since: 'P30D',
      where: {
        all: [
          { path: 'event.metadata.total', op: 'gt', value: 100 },
          { path: 'event.metadata.currency', op: 'eq', value: 'EUR' },
        ],
      },
    },
  ],
};

const test = suiteInBrowser<{ browser: Browser }>('the form of a segment in a browser', {
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

for (const [colorScheme, width] of [
  ['light', 1280],
  ['dark', 820],
  ['light', 320],
] as const)
  test(`a person adds a comparison of event data at ${width} px, and the sentence shows it`, async ({ browser }) => {
    const bench = await openConsoleBench();
    const { segmentId } = await bench.calls.segments.create({ name: 'Big spenders', filter });
    const options = { colorScheme, viewport: { width, height: 900 } };
    await visitUnderBasePath(browser, bench, options, async ({ page, origin, pageErrors }) => {
      await page.goto(`${origin}/console/${bench.workspaceId}/segments/${segmentId}/edit`);
      await page.getByRole('button', { name: 'Add data to condition 2 of group 1: Event of your product' }).focus();
      await page.keyboard.press('Enter');
      await page.locator('[name="g0c1.data3"]:focus').waitFor();
      await page.keyboard.type('country');
      await page.locator('[name="g0c1.dataValue3"]').fill('DE');
      await page.getByText('and “currency” is “EUR” and “country” is “DE”').waitFor();
      assert.equal(await accessibilityViolations(page), []);
      assert.equal(await inPage(page, lowContrastTexts), []);
      assert.ok((await inPage<number>(page, overflow)) <= 0);
      await saveScreenshot(page, `segment-form-${colorScheme}-${width}`);
      assert.equal(pageErrors, []);
    });
  });

test.run();

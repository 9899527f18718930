// time-limit: 120
// The pages of webhooks in a real browser below a base path, without scripts: from the list to a failed delivery, its replay, and a
// new webhook with its secret. Light and dark, wide and narrow.
// full-run: browser
import type { Browser } from 'playwright-core';
import * as assert from 'uvu/assert';
import { accessibilityViolations } from '../support/axe.ts';
import { saveScreenshot, visitUnderBasePath } from '../support/console-visit.ts';
import { inPage, lowContrastTexts, overflow } from '../support/inbox-visit.ts';
import { openBrowser, suiteInBrowser } from '../support/page-browser.ts';
import { openWebhooksBench } from '../support/webhooks-bench.ts';

const test = suiteInBrowser<{ browser: Browser }>('the pages of webhooks in a browser', {
  title: 'the server returns the list',
  async run() {
    const bench = await openWebhooksBench();
    assert.is((await bench.page('/webhooks')).status, 200);
    await bench.close();
  },
});

test.before(async (context) => {
  context.browser = await openBrowser();
});
test.after(({ browser }) => browser.close());

/** Opens a bench with a webhook that has a failed delivery */
async function openFailing() {
  const bench = await openWebhooksBench();
  const webhook = await bench.subscribe({ description: 'Orders' });
  bench.receiver.answer = { status: 500, body: '<b>out of order</b>' };
  await bench.deliver(webhook, 'order_paid');
  bench.receiver.answer = { status: 200, body: '' };
  return bench;
}

test('without scripts, a person can find and replay a failed delivery, and create a webhook', async ({ browser }) => {
  const bench = await openFailing();
  const options = { javaScriptEnabled: false, viewport: { width: 390, height: 800 } };
  await visitUnderBasePath(browser, bench, options, async ({ page, origin, pageErrors }) => {
    await page.goto(`${origin}/console/${bench.workspaceId}/webhooks`);
    await page.getByRole('link', { name: 'Orders' }).click();
    await page.getByRole('link', { name: 'order_paid' }).click();
    await page.getByText('<b>out of order</b>').waitFor();
    await page.getByText('Replay', { exact: true }).click();
    await page.getByRole('button', { name: 'Replay the delivery' }).click();
    await page.getByText('The delivery was queued to be posted again.').waitFor();
    await bench.drain();
    await page.reload();
    await page.getByText('The receiver accepted it.').waitFor();
    assert.is(bench.receiver.bodies[1], bench.receiver.bodies[0]);
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Webhooks' }).click();
    await page.getByText('Create a webhook').click();
    await page.getByLabel('Address (https)').fill(bench.receiver.url);
    await page.getByLabel('Events, separated by commas').fill('*');
    await page.getByRole('button', { name: 'Create the webhook' }).click();
    await page.getByText('Store the secret in the receiver now.').waitFor();
    assert.match(await page.locator('.facts code').first().innerText(), /^whsec_.{20,}/);
    await page.getByRole('link', { name: 'To the webhook' }).click();
    await page.getByText('Nothing was posted in the last 30 days.').waitFor();
    assert.equal(pageErrors, []);
  });
});

for (const colorScheme of ['light', 'dark'] as const)
  test(`in ${colorScheme} the pages are legible at 1280 and 320 px`, async ({ browser }) => {
    const bench = await openFailing();
    const [webhook] = (await bench.service.as(bench.workspaceId).webhooks.list()).data;
    const [delivery] = (await bench.service.as(bench.workspaceId).webhooks.deliveries({ id: webhook?.id ?? '' })).data;
    const pages = ['webhooks', `webhooks/${webhook?.id}`, `webhooks/${webhook?.id}/deliveries/${delivery?.id}`];
    await visitUnderBasePath(browser, bench, { colorScheme }, async ({ page, origin }) => {
      for (const width of [1280, 320]) {
        await page.setViewportSize({ width, height: 800 });
        for (const [index, path] of pages.entries()) {
          await page.goto(`${origin}/console/${bench.workspaceId}/${path}`);
          await inPage(page, "for (const form of document.querySelectorAll('.action')) form.open = true");
          assert.equal(await accessibilityViolations(page), [], `${path} at ${width} px`);
          assert.equal(await inPage(page, lowContrastTexts), [], `${path} at ${width} px`);
          assert.ok((await inPage<number>(page, overflow)) <= 0, `${path} at ${width} px`);
          await saveScreenshot(page, `webhooks-${index}-${colorScheme}-${width}`);
        }
      }
    });
  });

test.run();

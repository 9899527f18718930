// time-limit: 120
// The webhooks page in a real browser, behind a base path: content, buttons, appearance.
// full-run: browser
import type { Server } from 'node:http';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { closeServer, portOf, serveBelow } from '../support/based-server.ts';
import { inPage, lowContrastTexts, overflow, until } from '../support/inbox-visit.ts';
import { openBrowser, openPage, suiteInBrowser } from '../support/page-browser.ts';
import { openWebhooksBench, type WebhooksBench } from '../support/webhooks-bench.ts';

const base = '/a/b';
const phone = { viewport: { width: 375, height: 740 }, hasTouch: true, isMobile: true };

const test = suiteInBrowser<{ browser: Browser }>('the page of webhooks in a browser', {
  title: 'without a browser, the page answers 200',
  async run() {
    const bench = await openWebhooksBench();
    assert.is((await bench.ask('')).status, 200);
    await bench.close();
  },
});

test.before(async (context) => {
  context.browser = await openBrowser();
});
test.after(({ browser }) => browser.close());

interface Visit {
  readonly bench: WebhooksBench;
  readonly page: Page;
  readonly origin: string;
  /** A webhook with one delivered and one failed delivery; `disabled` is a disabled webhook. */
  readonly healthy: string;
  readonly disabled: string;
}

async function visiting(
  browser: Browser,
  work: (visit: Visit) => Promise<void>,
  options: BrowserContextOptions = { viewport: { width: 1280, height: 800 } },
): Promise<void> {
  const bench = await openWebhooksBench();
  const server: Server = await serveBelow(base, bench.service);
  const { page, pageErrors } = await openPage(browser, options);
  await page.addInitScript({
    content: `addEventListener('securitypolicyviolation', ({ effectiveDirective }) => console.error('policy: ' + effectiveDirective));`,
  });
  try {
    const disabled = await bench.subscribe({ description: 'Old receiver' });
    await bench.service.as(bench.workspaceId).webhooks.update({ id: disabled, enabled: false });
    bench.advanceClock(1_000);
    const healthy = await bench.subscribe({ description: 'Orders' });
    await bench.deliver(healthy, 'order_paid');
    bench.advanceClock(1_000);
    bench.receiver.answer = { status: 500, body: '<b>out of order</b>' };
    await bench.deliver(healthy, 'webhook.disabled');
    bench.receiver.answer = { status: 200, body: '' };
    await work({ bench, page, origin: `http://localhost:${portOf(server)}`, healthy, disabled });
    assert.equal(
      pageErrors.filter((error) => !error.endsWith(' failed')),
      [],
    );
  } finally {
    await page.context().close();
    await closeServer(server);
    await bench.close();
  }
}

const rows = (page: Page) => page.locator('.delivery');
const count = (page: Page, of: number) => until(page, `document.querySelectorAll('.delivery').length === ${of}`);

test('the page shows the newest webhook with its deliveries, their attempts and the body', ({ browser }) =>
  visiting(browser, async ({ bench, page, origin }) => {
    await page.goto(`${origin}${base}/webhooks-console`);
    await count(page, 2);
    assert.is(await page.title(), 'Orders · Webhooks · Postrider');
    await page.waitForResponse((response) => response.url().includes('/deliveries?') && response.status() === 304);
    assert.is(await page.locator('h2').innerText(), 'Orders');
    assert.is(await page.locator('.url').innerText(), bench.receiver.url);
    assert.match(await rows(page).nth(0).innerText(), /Given up[\s\S]*webhook\.disabled[\s\S]*500/);
    assert.match(await rows(page).nth(1).innerText(), /Delivered[\s\S]*order_paid[\s\S]*200/);
    await rows(page).nth(0).getByRole('button').first().click();
    await page.getByText('The receiver answered 500.').waitFor();
    // The receiver's response is shown as text, even if it looks like HTML.
    await page.getByText('<b>out of order</b>').waitFor();
    await until(page, `document.querySelector('.body').textContent.includes('"type": "webhook.disabled"')`);
    const bodyText = await page.locator('.body').innerText();
    assert.equal(JSON.parse(bodyText), JSON.parse(bench.receiver.bodies[1] ?? ''));
  }));

test('the page shows the reason of a failed connection without a click', ({ browser }) =>
  visiting(browser, async ({ bench, page, origin }) => {
    bench.advanceClock(1_000);
    const { webhooks } = bench.service.as(bench.workspaceId);
    const { id } = await webhooks.create({ url: 'http://localhost:61999/hook', events: ['*'], description: 'Closed' });
    await bench.deliver(id, 'order_paid');
    await page.goto(`${origin}${base}/webhooks-console`);
    await page.locator('.delivery .reason').getByText('localhost refused the connection at port 61999.').waitFor();
    assert.match(await rows(page).nth(0).innerText(), /Given up/);
  }));

test('a failed delivery can be posted again', ({ browser }) =>
  visiting(browser, async ({ bench, page, origin }) => {
    await page.goto(`${origin}${base}/webhooks-console/`);
    await count(page, 2);
    await rows(page).nth(0).getByRole('button').first().click();
    const again = page.getByRole('button', { name: 'Post again' });
    const [button, body] = [await again.boundingBox(), await page.locator('.body').boundingBox()];
    assert.ok(button !== null && body !== null && button.y < body.y, 'it is above the body');
    await again.click();
    const notice = await page.getByText('Queued to be posted again.').boundingBox();
    assert.ok(notice !== null && notice.y > 0 && notice.y + notice.height <= 800, 'the notice is in the window');
    assert.match(await inPage<string>(page, 'document.activeElement.textContent'), 'Post again');
    await bench.drain();
    await until(page, `document.querySelector('.delivery .status').textContent === 'Delivered'`);
    await page.getByRole('status').getByText('Posted again: webhook.disabled. Delivered.').waitFor();
    assert.is(bench.receiver.bodies.length, 3);
    assert.is(bench.receiver.bodies[2], bench.receiver.bodies[1]);
    await until(page, `document.querySelectorAll('.attempts li').length === 2`);
  }));

test('deliveries are filtered by status and event, and the URL keeps the filter', ({ browser }) =>
  visiting(browser, async ({ page, origin, healthy }) => {
    await page.goto(`${origin}${base}/webhooks-console`);
    await count(page, 2);
    // The health of a webhook that never delivered anything is unknown.
    await page.getByText('Enabled', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Given up', exact: true }).click();
    await count(page, 1);
    assert.match(await rows(page).innerText(), 'webhook.disabled');
    await page.getByRole('button', { name: 'All', exact: true }).click();
    // Filters while typing; the focus stays when its row disappears; all letters are one step for Back.
    await page.getByLabel('Event').pressSequentially('zz', { delay: 300 });
    await page.getByText('No delivery here has this event and status.').waitFor();
    await page.getByLabel('Event').fill('');
    await count(page, 2);
    await page.getByLabel('Event').fill('Order');
    await page.keyboard.press('Tab');
    await count(page, 1);
    await page.getByText('1 delivery found.').waitFor();
    assert.match(await rows(page).innerText(), 'order_paid');
    assert.match(await inPage<string>(page, 'document.activeElement.textContent'), 'order_paid');
    const { searchParams } = new URL(page.url());
    assert.equal([searchParams.get('webhook'), searchParams.get('event')], [healthy, 'Order']);
    await page.reload();
    await count(page, 1);
    await page.goBack();
    await count(page, 2);
    await page.getByRole('button', { name: 'Pending', exact: true }).click();
    await page.getByText('No delivery waits.').waitFor();
  }));

test("the browser's Back button closes a delivery and stays on the page", ({ browser }) =>
  visiting(browser, async ({ page, origin, healthy }) => {
    await page.goto(`${origin}${base}/webhooks-console`);
    await count(page, 2);
    const open = page.locator('.row[aria-expanded=true]');
    await rows(page).nth(0).getByRole('button').first().click();
    await page.getByText('The receiver answered 500.').waitFor();
    const failed = new URL(page.url()).searchParams.get('delivery');
    await rows(page).nth(1).getByRole('button').first().click();
    await until(page, `document.querySelector('.body').textContent.includes('"type": "order_paid"')`);
    await page.goBack();
    await until(page, `document.querySelector('.body').textContent.includes('"type": "webhook.disabled"')`);
    assert.is(new URL(page.url()).searchParams.get('delivery'), failed);
    await page.goBack();
    await until(page, `document.querySelectorAll('.row[aria-expanded=true]').length === 0`);
    await count(page, 2);
    const { searchParams } = new URL(page.url());
    assert.equal([searchParams.get('webhook'), searchParams.get('delivery')], [healthy, null]);
    await page.goForward();
    await open.waitFor();
    await page.getByText('The receiver answered 500.').waitFor();
    await page.goBack();
    await page.getByRole('button', { name: /Old receiver/ }).click();
    await page.getByText('Disabled by request.').waitFor();
    await page.goBack();
    await count(page, 2);
  }));

test('the page shows why a webhook is disabled, and can enable it again', ({ browser }) =>
  visiting(browser, async ({ bench, page, origin, disabled }) => {
    await page.goto(`${origin}${base}/webhooks-console`);
    await page.getByRole('button', { name: /Old receiver/ }).click();
    await page.getByText('Disabled by request.').waitFor();
    await page.getByRole('button', { name: 'Enable again' }).click();
    await page.getByText('Enabled. New events are posted there.').waitFor();
    assert.is(await page.getByText('Disabled by request.').count(), 0);
    const { enabled } = await bench.service.as(bench.workspaceId).webhooks.read({ id: disabled });
    assert.is(enabled, true);
  }));

test('the URL of a deleted webhook shows a message and no other webhook', ({ browser }) =>
  visiting(browser, async ({ page, origin, healthy }) => {
    await page.goto(`${origin}${base}/webhooks-console?webhook=wh_gone`);
    await page.getByText('There is no webhook wh_gone, or it was deleted.').waitFor();
    assert.is(await page.locator('[aria-current=true]').count(), 0);
    await page.getByRole('button', { name: /Orders/ }).click();
    await count(page, 2);
    assert.is(new URL(page.url()).searchParams.get('webhook'), healthy);
  }));

test('the name of an event is readable at every window width', ({ browser }) =>
  visiting(browser, async ({ page, origin }) => {
    await page.goto(`${origin}${base}/webhooks-console`);
    await count(page, 2);
    for (const width of [801, 900, 1000, 1150, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const box = await page.locator('.row b').first().boundingBox();
      assert.ok(box !== null && box.width > 120 && box.height < 30, `${width}: ${JSON.stringify(box)}`);
    }
  }));

test('the page shows one workspace at a time', ({ browser }) =>
  visiting(browser, async ({ bench, page, origin }) => {
    await bench.subscribe({ description: 'Of somebody else' }, bench.foreignWorkspaceId);
    await page.goto(`${origin}${base}/webhooks-console`);
    await count(page, 2);
    assert.is(await page.getByText('Of somebody else').count(), 0);
    await page.getByLabel('Workspace').selectOption({ label: 'Foreign' });
    await page.getByRole('heading', { name: 'Of somebody else' }).waitFor();
    await page.getByText('Nothing was posted here in the last 30 days.').waitFor();
  }));

for (const scheme of ['light', 'dark'] as const) {
  test(`the page is legible in ${scheme}, even on a phone`, ({ browser }) =>
    visiting(
      browser,
      async ({ page, origin }) => {
        await page.goto(`${origin}${base}/webhooks-console`);
        await count(page, 2);
        await rows(page).nth(0).getByRole('button').first().click();
        await page.getByText('The receiver answered 500.').waitFor();
        assert.equal(await inPage(page, lowContrastTexts), []);
        await page.getByRole('button', { name: /Old receiver/ }).tap();
        await page.getByText('Disabled by request.').waitFor();
        const top = await inPage<number>(
          page,
          'document.activeElement.matches("h2") && document.activeElement.getBoundingClientRect().top',
        );
        assert.ok(top >= 0 && top < phone.viewport.height, `the details are at ${top}`);
        assert.ok((await inPage<number>(page, overflow)) <= 0, 'it is wider than the window');
      },
      { ...phone, colorScheme: scheme },
    ));
}

test.run();

// time-limit: 180
// The QR designer in a real browser, behind a base path: preview, styles, verdict, downloads, keyboard, appearance.
// full-run: browser
import type { Server } from 'node:http';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { closeServer, portOf, serveBelow } from '../support/based-server.ts';
import { inPage, lowContrastTexts, overflow, until } from '../support/inbox-visit.ts';
import { openBrowser, openPage, suiteInBrowser } from '../support/page-browser.ts';
import { openQrBench, type QrBench } from '../support/qr-bench.ts';

const base = '/a/b';
const phone = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true };

const test = suiteInBrowser<{ browser: Browser }>('the QR designer in a browser', {
  title: 'the server returns the page',
  async run() {
    const bench = await openQrBench();
    assert.is((await bench.ask('')).status, 200);
    await bench.close();
  },
});
test.before(async (context) => {
  context.browser = await openBrowser();
});
test.after(({ browser }) => browser.close());

interface Visit {
  readonly bench: QrBench;
  readonly page: Page;
  /** A stored design. */
  readonly qrId: string;
}

async function withDesigner(
  browser: Browser,
  work: (visit: Visit) => Promise<void>,
  options: BrowserContextOptions = { viewport: { width: 1280, height: 900 } },
): Promise<void> {
  const bench = await openQrBench();
  const calls = bench.service.as(bench.workspaceId);
  await calls.links.create({ destinationUrl: 'https://shop.example/menu', label: 'Menu', slug: 'menu' });
  const { qrId } = await calls.qr.create({
    encodes: { kind: 'wifi', ssid: 'Guests', encryption: 'WPA', password: 'come in' },
    label: 'Guest Wi-Fi',
    style: { dots: 'dots', corners: 'rounded', foreground: '#1c5a44' },
    frame: { kind: 'banner-bottom', text: 'Free Wi-Fi' },
  });
  const server: Server = await serveBelow(base, bench.service);
  const { page, pageErrors } = await openPage(browser, options);
  await page.addInitScript({
    content: `addEventListener('securitypolicyviolation', ({ effectiveDirective }) => console.error('policy: ' + effectiveDirective));`,
  });
  try {
    await page.goto(`http://localhost:${portOf(server)}${base}/qr-designer`);
    await payloadIs(page, 'WIFI:T:WPA;S:Guests;P:come in;;');
    await page.getByRole('button', { name: 'New code' }).click();
    await payloadIs(page, 'https://example.com');
    await work({ bench, page, qrId });
    assert.equal(pageErrors, []);
  } finally {
    await page.context().close();
    await closeServer(server);
    await bench.close();
  }
}

const verdict = (page: Page, word: string) =>
  until(page, `document.querySelector('.verdict b')?.textContent === ${JSON.stringify(word)}`);
const readable = (page: Page) => verdict(page, 'Readable');
const payloadIs = (page: Page, text: string) =>
  until(page, `document.querySelector('.payload pre')?.textContent === ${JSON.stringify(text)}`);
const picture = (page: Page): Promise<string> => inPage<string>(page, `document.querySelector('.picture img').src`);

/** The controls that the notice covers. */
const coveredByNotice = `(() => {
  const notice = document.querySelector('.notice').getBoundingClientRect();
  const isBelow = ({ left, right, top, bottom }) =>
    left < notice.right && right > notice.left && top < notice.bottom && bottom > notice.top;
  return [...document.querySelectorAll('button, input, label, h2, h3')]
    .filter((one) => isBelow(one.getBoundingClientRect()))
    .map((one) => one.textContent);
})()`;

test('the page opens the newest code, or an empty new code if nothing is stored', ({ browser }) =>
  withDesigner(browser, async ({ bench, page, qrId }) => {
    await page.goto(page.url().split('?')[0] ?? '');
    await payloadIs(page, 'WIFI:T:WPA;S:Guests;P:come in;;');
    assert.is(new URL(page.url()).searchParams.get('design'), qrId);
    const defaultFrom = { email: 'hello@empty.example', name: 'Empty' };
    const { id } = await bench.service.workspaces.create({ name: 'Empty', plan: 'sandbox', defaultFrom });
    await page.goto(`${page.url().split('?')[0]}?workspace=${id}`);
    await page.getByText('No code was saved yet. Type what yours should hold').waitFor();
    await payloadIs(page, 'https://example.com');
    assert.is(new URL(page.url()).searchParams.get('design'), null);
  }));

test('a code without a name is downloaded under a name made from its content', ({ browser }) =>
  withDesigner(browser, async ({ page }) => {
    await page.getByLabel('Text or URL').nth(1).fill('https://www.shop.example/menu?table=4');
    await payloadIs(page, 'https://www.shop.example/menu?table=4');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'SVG', exact: true }).click(),
    ]);
    assert.is(download.suggestedFilename(), 'shop example menu table 4.svg');
  }));

test('the page draws input at once and shows whether the code is readable', ({ browser }) =>
  withDesigner(browser, async ({ bench, page }) => {
    assert.is(await page.title(), 'New code · QR codes · Postrider');
    const before = await picture(page);
    await page.getByLabel('Text or URL').nth(1).fill('Hello from here');
    await payloadIs(page, 'Hello from here');
    assert.is.not(await picture(page), before);
    for (const name of ['Rounded', 'Dots', 'Diamond', 'Square']) {
      const drawn = await picture(page);
      await page.getByRole('group', { name: 'Dots' }).getByLabel(name, { exact: true }).check();
      await until(page, `document.querySelector('.picture img')?.src !== ${JSON.stringify(drawn)}`);
    }
    await page.getByLabel('Ground').fill('#202020');
    await verdict(page, 'Not readable');
    await page.getByText('Its colours are too much alike').waitFor();
    assert.is(await page.getByRole('button', { name: 'SVG' }).isDisabled(), true);
    await page.getByLabel('Ground').fill('#ffffff');
    await readable(page);
    assert.equal((await bench.request('/v1/qr')).body.data.length, 1);
  }));

test('a short link, a contact and a frame can be chosen, and missing fields are named', ({ browser }) =>
  withDesigner(browser, async ({ page }) => {
    await page.getByLabel('Contact').check();
    await page.getByLabel('First name').fill('Ada');
    await verdict(page, 'Incomplete');
    await page.getByText('Last name is required.').waitFor();
    await page.getByLabel('Short link').check();
    await page.getByRole('combobox', { name: 'Short link' }).selectOption({ label: 'Menu' });
    await payloadIs(page, 'https://api.shop.example/l/menu?s=qr');
    await page.getByLabel('Bubble').check();
    await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Order here');
    await readable(page);
  }));

test('the page saves the code and downloads each format under its name', ({ browser }) =>
  withDesigner(browser, async ({ bench, page }) => {
    await page.getByLabel('Name', { exact: true }).fill('Table 4');
    await readable(page);
    for (const [button, filename] of [
      ['SVG', 'Table 4.svg'],
      ['PNG', 'Table 4.png'],
      ['PDF for print · 5 credits', 'Table 4.pdf'],
    ] as const) {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: button, exact: true }).click(),
      ]);
      assert.is(download.suggestedFilename(), filename);
      await page.getByText(`Downloaded ${filename}.`).waitFor();
      assert.equal(await inPage(page, coveredByNotice), [], 'the notice covers a control');
    }
    const { data } = (await bench.request('/v1/qr')).body;
    assert.equal([data.length, data[0].label], [2, 'Table 4']);
    await page.getByRole('button', { name: 'Saved' }).waitFor();
    const { searchParams } = new URL(page.url());
    assert.is(searchParams.get('design'), data[0].qrId);
  }));

test('a stored design opens by its URL, can be changed with the keyboard, and the Back button works', ({ browser }) =>
  withDesigner(browser, async ({ bench, page, qrId }) => {
    await page.getByRole('button', { name: /Guest Wi-Fi/ }).focus();
    await page.keyboard.press('Enter');
    await payloadIs(page, 'WIFI:T:WPA;S:Guests;P:come in;;');
    await page.reload();
    await payloadIs(page, 'WIFI:T:WPA;S:Guests;P:come in;;');
    await page.getByRole('group', { name: 'Dots' }).getByLabel('Dots', { exact: true }).focus();
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('button', { name: 'Save changes' }).waitFor();
    await readable(page);
    await page.keyboard.press('Control+s');
    await page.getByText('Saved.', { exact: true }).waitFor();
    assert.is((await bench.request(`/v1/qr/${qrId}`)).body.style.dots, 'rounded');
    await page.getByRole('button', { name: 'New code' }).click();
    await payloadIs(page, 'https://example.com');
    await page.goBack();
    await payloadIs(page, 'WIFI:T:WPA;S:Guests;P:come in;;');
  }));

test('unsaved changes are kept while another code is open', ({ browser }) =>
  withDesigner(browser, async ({ bench, page, qrId }) => {
    await page.getByRole('button', { name: /Guest Wi-Fi/ }).click();
    await payloadIs(page, 'WIFI:T:WPA;S:Guests;P:come in;;');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Wi-Fi of the bar');
    await page.getByRole('button', { name: 'New code' }).click();
    await payloadIs(page, 'https://example.com');
    await page.getByRole('button', { name: /Guest Wi-Fi/ }).click();
    await payloadIs(page, 'WIFI:T:WPA;S:Guests;P:come in;;');
    assert.is(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue(), 'Wi-Fi of the bar');
    await readable(page);
    await page.getByRole('button', { name: 'Save changes' }).press('Enter');
    await page.getByText('Saved.', { exact: true }).waitFor();
    assert.is((await bench.request(`/v1/qr/${qrId}`)).body.label, 'Wi-Fi of the bar');
    assert.is(await inPage(page, 'document.activeElement.textContent.trim()'), 'Saved', 'the focus does not move');
    assert.is(await page.title(), 'Wi-Fi of the bar · QR codes · Postrider');
    const status = page.getByRole('status').filter({ hasText: 'Margin' });
    await page.getByRole('slider', { name: 'Margin', exact: true }).press('ArrowRight');
    assert.is(await status.textContent(), 'Margin 5');
  }));

test('the URL of a deleted code shows a message but no other code', ({ browser }) =>
  withDesigner(browser, async ({ page }) => {
    await page.goto(`${page.url().split('?')[0]}?design=qr_gone`);
    await page.getByText('There is no code qr_gone, or it was deleted.').waitFor();
    assert.is(await page.locator('[aria-current=true]').count(), 0);
    await page.getByRole('button', { name: 'New code' }).click();
    await payloadIs(page, 'https://example.com');
  }));

for (const scheme of ['light', 'dark'] as const) {
  test(`the page is legible in ${scheme}, even on the narrowest phone`, ({ browser }) =>
    withDesigner(
      browser,
      async ({ page }) => {
        await page.getByRole('button', { name: /Guest Wi-Fi/ }).tap();
        await payloadIs(page, 'WIFI:T:WPA;S:Guests;P:come in;;');
        await page.getByLabel('Gradient').check();
        await page.getByLabel('Corners in a colour').check();
        await readable(page);
        assert.equal(await inPage(page, lowContrastTexts), []);
        assert.ok((await inPage<number>(page, overflow)) <= 0, 'the page is wider than the window');
        const shots = process.env.POSTRIDER_QR_SHOTS;
        if (shots !== undefined) {
          await page.screenshot({ path: `${shots}/qr-${scheme}-320.png`, fullPage: true });
          await page.setViewportSize({ width: 1280, height: 900 });
          await page.screenshot({ path: `${shots}/qr-${scheme}-1280.png` });
        }
      },
      { ...phone, colorScheme: scheme },
    ));
}

test.run();

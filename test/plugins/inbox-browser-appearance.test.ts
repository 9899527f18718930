// The appearance of the inbox in a real browser, and its protections: remote pictures, messages that try to run or navigate, small
// windows, low contrast, an unavailable service.
// time-limit: 300
// full-run: browser
import { type AddressInfo, createServer } from 'node:net';
import * as assert from 'uvu/assert';
import {
  attachments,
  base,
  browserSuite,
  desktop,
  frameOf,
  inPage,
  logo,
  lowContrastTexts,
  overflow,
  phone,
  row,
  sendReceipt,
  tab,
  until,
  withFailingInboxPage,
  withInboxPage,
} from '../support/inbox-visit.ts';

browserSuite('the appearance and protection of the inbox in a browser', (test) => {
  test('the browser connects to no other host when it shows a message', ({ browser }) =>
    withFailingInboxPage(browser, desktop, async ({ bench, page, origin }) => {
      let connections = 0;
      const listener = createServer((socket) => {
        connections += 1;
        socket.destroy();
      });
      await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
      const otherOrigin = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
      const hints = ['preconnect', 'dns-prefetch', 'prefetch', 'prerender', 'preload', 'modulepreload', 'icon'];
      const links = [...hints, 'manifest', 'stylesheet', 'preconnect stylesheet', 'apple-touch-icon', 'pingback'];
      const linkTags = links.map((rel) => `<link rel="${rel}" as="image" href="${otherOrigin}/${rel}">`).join('');
      const html = `<html><head><meta http-equiv="x-dns-prefetch-control" content="on">${linkTags}<noscript>${linkTags}</noscript>
        <meta http-equiv="refresh" content="0;url=${otherOrigin}/refresh"><base href="${otherOrigin}/"><style>@import url(${otherOrigin}/a.css);
        @font-face{font-family:f;src:url(${otherOrigin}/f)} p{background:url(${otherOrigin}/bg);font-family:f}</style></head>
        <body background="${otherOrigin}/body"><p>Quiet</p><img src="${otherOrigin}/i"><img srcset="${otherOrigin}/s 1x"><a href="${otherOrigin}/a" ping="${otherOrigin}/p">a</a>
        <video src="${otherOrigin}/v" poster="${otherOrigin}/o"></video><audio src="${otherOrigin}/u"></audio><input type="image" src="${otherOrigin}/n">
        <picture><source srcset="${otherOrigin}/c"><img></picture><svg><image href="${otherOrigin}/g"/><use href="${otherOrigin}/h#x"/></svg>
        <iframe src="${otherOrigin}/f"></iframe><iframe srcdoc='${linkTags}'></iframe><object data="${otherOrigin}/j"></object><embed src="${otherOrigin}/e">
        <div><template shadowrootmode="open">${linkTags}</template></div></body></html>`;
      try {
        await bench.keep('snd_reaches_out', { subject: 'Reaching', html });
        // This checks the test: the same message, unprotected, does connect.
        const control = await page.context().newPage();
        await control.setContent(html).catch(() => undefined);
        while (connections === 0) await control.waitForTimeout(50);
        await control.close();
        await page.waitForTimeout(500);
        connections = 0;
        await page.goto(`${origin}${base}/inbox`);
        await row(page, 'Reaching').click();
        await frameOf(page).getByText('Quiet').waitFor();
        await page.waitForTimeout(1_000);
        assert.is(connections, 0);
      } finally {
        listener.close();
      }
    }));

  test('remote pictures are loaded only after the reader allows it', ({ browser }) =>
    withFailingInboxPage(browser, desktop, async ({ bench, page, origin, count }) => {
      await page
        .context()
        .route('https://cdn.example/**', (route) =>
          route.fulfill({ contentType: 'image/png', body: Buffer.from(logo, 'base64') }),
        );
      await bench.publish('digest', {
        subject: 'Digest',
        body: '<p>News</p><img src="https://cdn.example/a.png" alt="">',
      });
      await bench.send('digest', { to: 'a@example.com', variables: {} });
      await page.goto(`${origin}${base}/inbox`);
      await row(page, 'Digest').click();
      await frameOf(page).getByText('News').waitFor();
      await page.locator('.bar').getByText('cdn.example').waitFor();
      assert.is(await page.frame({ url: /\/html/ })?.evaluate('document.querySelector("img").naturalWidth'), 0);
      await page.getByRole('button', { name: 'Load them' }).click();
      await until(page, 'document.querySelector("img").naturalWidth === 1', /remote=1/);
      assert.is(await page.locator('.bar').count(), 0);
      await page.reload();
      await page.getByRole('button', { name: 'Always load' }).click();
      await until(page, 'document.querySelector("img").naturalWidth === 1', /remote=1/);
      await page.reload();
      await page.getByRole('button', { name: 'Stop loading' }).waitFor();
      const requests = count('https://cdn.example/');
      assert.ok(requests > 0);
      await page.getByRole('button', { name: 'Stop loading' }).click();
      await page.getByRole('button', { name: 'Always load' }).waitFor();
      await page.reload();
      await page.getByRole('button', { name: 'Load them' }).waitFor();
      await frameOf(page).getByText('News').waitFor();
      assert.is(await page.frame({ url: /\/html/ })?.evaluate('document.querySelector("img").naturalWidth'), 0);
      assert.is(count('remote=1'), 3, 'another message was shown with its pictures');
    }));

  test('nothing in a message runs, navigates or reaches the page, and its links open in a new tab', ({ browser }) =>
    withFailingInboxPage(browser, desktop, async ({ bench, page, origin }) => {
      await page
        .context()
        .route('https://shop.example/**', (route) => route.fulfill({ contentType: 'text/html', body: 'Shop' }));
      const hostile = `<script>top.hacked = 'script'</script><img src="x" onerror="top.hacked = 'handler'">
<base href="https://attacker.example/"><meta http-equiv="refresh" content="0;url=https://attacker.example/">
<form action="https://attacker.example/"><button>Send</button></form><iframe src="https://attacker.example/"></iframe>
<a href="javascript:top.hacked='link'" target="_top">Run</a><a rel="opener" target="_top" href="https://shop.example/">Shop</a>`;
      // The template language would remove all of this content. So the message is stored directly, as if the template language had an error.
      const id = 'snd_hostile';
      await bench.keep(id, { subject: 'Hostile', html: hostile });
      await page.goto(`${origin}${base}/inbox`);
      await row(page, 'Hostile').click();
      const frame = frameOf(page);
      await frame.getByText('Shop').waitFor();
      await frame.getByRole('button', { name: 'Send' }).click();
      await frame.getByText('Run').click();
      const popup = page.context().waitForEvent('page', (opened) => opened.url().startsWith('https://shop.example/'));
      await frame.getByText('Shop').click();
      const shop = await popup;
      await shop.waitForLoadState();
      assert.is(await inPage(shop, 'window.opener'), null);
      assert.is(await inPage(shop, 'document.referrer'), '');
      assert.is(await inPage(page, 'window.hacked'), undefined);
      assert.match(page.url(), `${base}/inbox/m/${id}`);
      assert.match(page.frame({ url: /\/html/ })?.url() ?? '', `${origin}${base}/inbox/messages/`);
      const alone = await page.context().newPage();
      await alone.goto(`${origin}${base}/inbox/messages/${id}/html`);
      assert.is(await inPage(alone, 'window.hacked'), undefined);
      assert.is(alone.url(), `${origin}${base}/inbox/messages/${id}/html`);
    }));

  test('the page says that a message was deleted, with a link back to the list', ({ browser }) =>
    withFailingInboxPage(browser, desktop, async ({ bench, page, origin }) => {
      const id = await sendReceipt(bench, 'Ada');
      await page.goto(`${origin}${base}/inbox/m/${id}`);
      await frameOf(page).getByText('Thank you, Ada').waitFor();
      await bench.ask(`/messages/${id}`, { method: 'DELETE' });
      await page.getByText('This message was deleted').waitFor();
      await page.getByRole('button', { name: 'Back to the list' }).click();
      await page.getByText('No mail yet').waitFor();
      await page.goto(`${origin}${base}/inbox/m/${id}`);
      await page.getByText('This message was deleted').waitFor();
      await page.locator('.timeline').getByText('Delivered').waitFor();
      await page.goto(`${origin}${base}/inbox/m/%E0%A4%A`);
      await page.getByText('This message was deleted').waitFor();
    }));

  test('a link to a send without mail shows the reason', ({ browser }) =>
    withFailingInboxPage(browser, desktop, async ({ bench, page, origin }) => {
      const id = await bench.sendBroken();
      await page.goto(`${origin}${base}/inbox/m/${id}`);
      await page.getByRole('heading', { name: 'No mail was sent' }).waitFor();
      assert.match((await page.locator('.absence').textContent()) ?? '', 'cannot be rendered');
      await page.locator('.head').getByText('Failed').waitFor();
      await page.locator('.timeline').getByText('Accepted').waitFor();
    }));

  test('a message is as wide as a mail on a desktop, at any width of the window', ({ browser }) =>
    withInboxPage(browser, desktop, async ({ bench, page, origin }) => {
      const id = await sendReceipt(bench, 'Ada');
      await page.goto(`${origin}${base}/inbox/m/${id}`);
      await frameOf(page).getByText('Thank you, Ada').waitFor();
      for (const width of [1440, 1439, 1280, 1024, 820]) {
        await page.setViewportSize({ width, height: 800 });
        await until(page, `window.innerWidth === ${width}`);
        const mail = await inPage<number>(page, `document.querySelector('iframe.mail').clientWidth`);
        assert.ok(mail >= 640, `${mail} px in a window of ${width} px`);
        assert.is(await inPage(page, overflow), 0);
        assert.is(await page.locator('.rail').isVisible(), width >= 1440);
        assert.is(await tab(page, 'Activity').isVisible(), width < 1440);
      }
      await page.getByRole('button', { name: 'Mobile' }).click();
      await until(page, `document.querySelector('iframe.mail').clientWidth === 375`);
    }));

  test('a phone shows one part of the page at a time, and no part is too wide', ({ browser }) =>
    withInboxPage(browser, phone, async ({ bench, page, origin }) => {
      await page.goto(`${origin}${base}/inbox`);
      await page.getByText('No mail yet').waitFor();
      assert.is(await inPage(page, overflow), 0);
      await sendReceipt(bench, 'Ada');
      for (const width of [375, 320]) {
        await page.setViewportSize({ width, height: 640 });
        await row(page, 'Receipt for Ada').waitFor();
        assert.is(await inPage(page, overflow), 0);
        await row(page, 'Receipt for Ada').tap();
        await frameOf(page).getByText('Thank you, Ada').waitFor();
        const mail = await inPage<number>(page, `document.querySelector('iframe.mail').clientWidth`);
        assert.ok(mail < width, `${mail} px in a window of ${width} px`);
        assert.is(await row(page, 'Receipt for Ada').isVisible(), false);
        assert.is(await inPage(page, 'document.activeElement.textContent'), 'Receipt for Ada');
        for (const name of ['Text', 'Links', 'Files', 'Headers', 'Source', 'Activity', 'Message']) {
          await tab(page, name).tap();
          await page.locator('#view > *').first().waitFor();
          assert.is(await inPage(page, overflow), 0, `${name} at ${width}`);
        }
        await tab(page, 'Activity').tap();
        await page.locator('#view').getByRole('button', { name: 'Opened' }).tap();
        await page.getByText('Reported. The send is delivered.').waitFor();
        await tab(page, 'Message').tap();
        await page.getByRole('button', { name: 'Back to the list' }).tap();
        await row(page, 'Receipt for Ada').waitFor();
      }
    }));

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`in ${colorScheme} colours, every text is readable`, ({ browser }) =>
      withInboxPage(browser, { ...desktop, colorScheme }, async ({ bench, page, origin }) => {
        await page.goto(`${origin}${base}/inbox`);
        await page.getByText('No mail yet').waitFor();
        assert.equal(await inPage(page, lowContrastTexts), []);
        const scenarios = ['hard_bounced', 'delivery_delayed', 'delivered', 'opened'];
        for (const simulationScenario of scenarios) {
          await bench.send('receipt', {
            to: 'a@example.com',
            variables: { name: 'Ada' },
            attachments,
            simulationScenario,
          });
        }
        await sendReceipt(bench, 'Live', bench.liveKey);
        await until(page, `document.querySelectorAll('.row').length === 5`);
        await row(page, 'Receipt for Live').click();
        for (const name of ['Text', 'Links', 'Files', 'Headers', 'Source', 'Message']) {
          await tab(page, name).click();
          await page.locator('#view > *').first().waitFor();
          assert.equal(await inPage(page, lowContrastTexts), [], name);
        }
        await page.keyboard.press('?');
        await page.getByRole('dialog').waitFor();
        assert.equal(await inPage(page, lowContrastTexts), []);
      }));
  }

  test('the page waits while the service is unavailable', ({ browser }) =>
    withFailingInboxPage(browser, desktop, async ({ bench, page, origin, restart }) => {
      await page.goto(`${origin}${base}/inbox`);
      await page.getByText('No mail yet').waitFor();
      await restart(async () => {
        await page.getByText('Not connected, trying again').waitFor();
        await sendReceipt(bench, 'Ada');
      });
      await row(page, 'Receipt for Ada').waitFor();
      await page.getByText('Connected', { exact: true }).waitFor();
    }));
});

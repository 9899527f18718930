// Working with the inbox in a real browser: mail appears without a reload, can be viewed in every way, reported on, found and deleted,
// and the browser logs no error.
// time-limit: 300
// full-run: browser
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import * as assert from 'uvu/assert';
import {
  base,
  browserSuite,
  desktop,
  frameOf,
  inPage,
  row,
  sendReceipt,
  tab,
  until,
  withFailingInboxPage,
  withInboxPage,
} from '../support/inbox-visit.ts';

const run = promisify(execFile);

browserSuite('the inbox in a browser', (test) => {
  test('an empty inbox explains how to fill it, and a mail appears without a reload', ({ browser }) =>
    withInboxPage(browser, desktop, async ({ bench, page, origin }) => {
      await page.goto(`${origin}${base}/inbox`);
      await page.getByText('No mail yet').waitFor();
      const command = page.locator('.shell pre');
      await command.waitFor();
      const line = await command.textContent();
      assert.match(line ?? '', `${origin}${base}/v1/templates/receipt/send`);
      assert.match(line ?? '', '"variables":{"name":"name"}');
      const environment = { ...process.env, TEST_KEY: bench.testKey, NO_PROXY: 'localhost' };
      const { stdout } = await run('sh', ['-c', line ?? ''], { env: environment });
      assert.match(stdout, '"status"', stdout);
      await bench.drain();
      await row(page, 'Receipt for name').waitFor();
      await until(page, `document.title.startsWith('(1) Inbox')`);
    }));

  test('while the service does not answer, the page reports it, and continues afterwards', ({ browser }) =>
    withFailingInboxPage(browser, desktop, async ({ bench, page, origin, restart }) => {
      await sendReceipt(bench, 'Ada');
      bench.advanceClock(1_000);
      await sendReceipt(bench, 'Grace');
      await page.goto(`${origin}${base}/inbox`);
      await row(page, 'Receipt for Ada').click();
      await frameOf(page).getByText('Thank you, Ada').waitFor();
      const notice = page.getByText('The service does not answer. Trying again …');
      await restart(async () => {
        // A frame cannot be loaded, a message cannot be read, and the list cannot be updated.
        await page.getByRole('button', { name: 'Dark' }).click();
        await page.locator('.stage').filter({ has: notice }).waitFor();
        await row(page, 'Receipt for Grace').click();
        await page.locator('.reader').filter({ has: notice }).waitFor();
        await page.locator('.list').filter({ has: notice }).waitFor();
      });
      await frameOf(page).getByText('Thank you, Grace').waitFor();
      await notice.first().waitFor({ state: 'detached' });
    }));

  test('messages that arrive while the page is offline appear afterwards', ({ browser }) =>
    withFailingInboxPage(browser, desktop, async ({ bench, page, origin }) => {
      let count = 0;
      const keep = async (): Promise<void> => {
        count += 1;
        bench.advanceClock(1_000);
        await bench.keep(`snd_kept_${count}`, { subject: `Kept ${count}` });
      };
      while (count < 2) await keep();
      await page.goto(`${origin}${base}/inbox`);
      await row(page, 'Kept 2').waitFor();
      await page.context().setOffline(true);
      while (count < 122) await keep();
      await page.context().setOffline(false);
      await row(page, 'Kept 122').waitFor();
      assert.is(await page.locator('.row').count(), 50);
      const scroll = `(() => { const list = document.querySelector('.list'); list.scrollTop = list.scrollHeight; })()`;
      await until(page, `${scroll}, document.querySelectorAll('.row').length === 122`);
      assert.is(await page.getByRole('button', { name: 'Show older messages' }).count(), 0);
      // A link to a message far down in the list scrolls to it, too.
      await page.goto(`${origin}${base}/inbox/m/snd_kept_1`);
      const { height } = desktop.viewport;
      await until(page, `document.getElementById('row-snd_kept_1')?.getBoundingClientRect().bottom <= ${height}`);
    }));

  test('a message can be viewed in every way', ({ browser }) =>
    withInboxPage(browser, desktop, async ({ bench, page, origin }) => {
      const id = await sendReceipt(bench, 'Ada');
      await page.goto(`${origin}${base}/inbox/`);
      await row(page, 'Receipt for Ada').click();
      await frameOf(page).getByText('Thank you, Ada').waitFor();
      assert.is(page.url(), `${origin}${base}/inbox/m/${id}`);
      assert.is(await page.title(), 'Receipt for Ada · ada@example.com · Inbox · Postrider');
      assert.is(await inPage(page, `document.querySelector('.row').className.includes('unread')`), false);

      const frame = page.frame({ url: /\/html/ });
      assert.ok(frame !== null);
      const background = 'getComputedStyle(document.body).backgroundColor';
      assert.is(await frame.evaluate(background), 'rgb(255, 255, 255)');
      const box = await page.locator('iframe.mail').boundingBox();
      assert.ok(box !== null && box.width > 600 && box.height > 1_600, JSON.stringify(box));
      assert.is(await frame.evaluate('document.querySelector("img").naturalWidth'), 1);

      await page.getByRole('button', { name: 'Mobile' }).click();
      await until(page, `document.querySelector('iframe.mail').clientWidth === 375`);
      await page.getByRole('button', { name: 'Dark' }).click();
      await until(page, `${background} === 'rgb(16, 16, 16)'`, /scheme=dark/);

      await tab(page, 'Text').click();
      assert.match((await page.locator('#view pre').textContent()) ?? '', 'Thank you, Ada. https://shop.example');
      await tab(page, 'Headers').click();
      await page.locator('dl.headers').getByText('Receipt for Ada').waitFor();
      await tab(page, 'Links').click();
      assert.is(await page.locator('.things a').getAttribute('href'), 'https://shop.example/order?id=7');
      await tab(page, 'Source').click();
      await page.locator('pre.source', { hasText: 'Message-ID: <msg_' }).waitFor();
      await page.getByRole('button', { name: 'HTML' }).click();
      await page.locator('pre.source', { hasText: '<!doctype html>' }).waitFor();
      const mail = page.waitForEvent('download');
      await page.getByRole('link', { name: '.eml' }).click();
      assert.is((await mail).suggestedFilename(), `${id}.eml`);

      await tab(page, 'Files').click();
      const file = page.waitForEvent('download');
      await page.locator('.things li', { hasText: 'Invoice 7.txt' }).getByRole('link').click();
      assert.is((await file).suggestedFilename(), 'Invoice 7.txt');
      assert.is(await readFile(await (await file).path(), 'utf8'), 'Total 7');
      await until(page, `document.querySelector('.thumb img').naturalWidth === 1`);
    }));

  test('a reported bounce changes the status in all places, and a click is counted', ({ browser }) =>
    withInboxPage(browser, desktop, async ({ bench, page, origin }) => {
      await sendReceipt(bench, 'Ada', bench.liveKey);
      await page.goto(`${origin}${base}/inbox`);
      await row(page, 'Receipt for Ada').click();
      const rail = page.locator('.rail');
      await rail.getByText('suppresses ada@example.com').waitFor();
      await rail.getByRole('button', { name: 'Hard bounce' }).click();
      await page.getByText('Reported. The send is bounced.').waitFor();
      await rail.getByText('Hard bounce. Reported in the inbox: no such mailbox.').waitFor();
      await row(page, 'Receipt for Ada').getByText('Bounced').waitFor();
      await rail.getByRole('button', { name: 'Hard bounce' }).click();
      await page.getByText('The timeline already contains this event.').waitFor();
      await tab(page, 'Links').click();
      await page.getByRole('button', { name: 'Report a click' }).click();
      await rail.getByText('Link clicked').first().waitFor();
      await rail.locator('.timeline').getByText('https://shop.example/order?id=7').waitFor();
      const { data } = (await bench.request('/v1/suppressions')).body;
      assert.is(data[0].email, 'ada@example.com');
    }));

  test('keys search, move, close and delete, the address changes with them, and the Back button works', ({ browser }) =>
    withInboxPage(browser, desktop, async ({ bench, page, origin }) => {
      for (const name of ['One', 'Two', 'Three']) {
        await sendReceipt(bench, name);
        bench.advanceClock(1_000);
      }
      await page.goto(`${origin}${base}/inbox`);
      await row(page, 'Receipt for One').waitFor();
      const heading = page.locator('.head h2');
      for (const [key, name] of [
        ['j', 'Three'],
        ['j', 'Two'],
        ['j', 'One'],
        ['j', 'One'],
        ['k', 'Two'],
      ] as const) {
        await page.keyboard.press(key);
        await until(page, `document.querySelector('.head h2')?.textContent === 'Receipt for ${name}'`);
      }
      assert.match(await inPage<string>(page, 'document.activeElement.textContent'), 'Receipt for Two');
      await frameOf(page).getByText('Thank you, Two').click();
      await page.keyboard.press('j');
      await heading.getByText('Receipt for One').waitFor();
      await page.keyboard.press('2');
      await page.locator('#view pre').getByText('Thank you, One').waitFor();
      assert.match(page.url(), '?view=text');
      // The number keys count the visible tabs. In a window this wide, the activity is beside the message and has no tab.
      for (const width of [desktop.viewport.width, 1_280]) {
        await page.setViewportSize({ ...desktop.viewport, width });
        const tabs = page.locator('.tabs button:visible');
        assert.is(await tabs.count(), width === 1_280 ? 7 : 6);
        for (let at = 0; at < (await tabs.count()); at += 1) {
          await page.keyboard.press(String(at + 1));
          await until(
            page,
            `${JSON.stringify(await tabs.nth(at).getAttribute('id'))} === document.querySelector('[role=tab][aria-selected=true]').id`,
          );
        }
      }
      await page.setViewportSize(desktop.viewport);
      await page.keyboard.press('Escape');
      await page.getByText('Choose a message').waitFor();
      await until(page, `document.activeElement.textContent.includes('Receipt for One')`);
      // The row gets the focus again, even if the message had the focus before.
      await page.keyboard.press('j');
      await tab(page, 'Message').click();
      await frameOf(page).getByText('Thank you, Three').click();
      await page.keyboard.press('Escape');
      await until(page, `document.activeElement.textContent.includes('Receipt for Three')`);
      await row(page, 'Receipt for One').click();
      await heading.getByText('Receipt for One').waitFor();
      await page.keyboard.press('Escape');
      await page.getByText('Choose a message').waitFor();
      await page.goForward();
      await heading.getByText('Receipt for One').waitFor();
      await page.goBack();
      await page.getByText('Choose a message').waitFor();
      assert.is(await page.locator('.row:not([tabindex])').count(), 1, 'the list is a single stop of the Tab key');
      await page.keyboard.press('/');
      await page.keyboard.type('three RECEIPT');
      await until(page, `document.querySelectorAll('.row').length === 1`);
      assert.match(page.url(), 'q=three+RECEIPT');
      await page.getByRole('status').getByText('1 message found.').waitFor();
      await page
        .locator('.side-foot')
        .getByText(/^1 of \d+ messages/)
        .waitFor();
      await page.reload();
      await row(page, 'Receipt for Three').waitFor();
      assert.is(await page.locator('.row').count(), 1);
      await page.keyboard.press('/');
      await page.keyboard.press('ArrowDown');
      assert.match(await inPage<string>(page, 'document.activeElement.className'), 'row');
      await page.keyboard.press('/');
      await page.keyboard.press('Enter');
      await heading.getByText('Receipt for Three').waitFor();
      await page.keyboard.press('Control+A');
      await page.keyboard.type('zebra');
      await page.getByText('Nothing matches zebra.').waitFor();
      await page.locator('.head').waitFor({ state: 'detached' });
      assert.is(await inPage(page, 'document.activeElement.id'), 'search');
      await page.keyboard.press('Escape');
      await row(page, 'Receipt for One').waitFor();
      await row(page, 'Receipt for Two').click();
      await frameOf(page).getByText('Thank you, Two').waitFor();
      await page.keyboard.press('Delete');
      await page.getByText('Shift+Del deletes the message.').waitFor();
      assert.is((await bench.messages()).length, 3);
      await page.keyboard.press('Shift+Delete');
      await row(page, 'Receipt for Two').waitFor({ state: 'detached' });
      await heading.getByText('Receipt for One').waitFor();
      await page.getByRole('button', { name: 'Delete this message' }).click();
      await page.getByRole('button', { name: 'Keep it' }).click();
      await until(page, `document.activeElement.getAttribute('aria-label') === 'Delete this message'`);
      assert.is((await bench.messages()).length, 2);
      await page.keyboard.press('?');
      await page.getByRole('dialog').getByText('Next message').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Delete all messages' }).click();
      await page.getByRole('button', { name: 'Delete all', exact: true }).click();
      await page.getByText('No mail yet').waitFor();
      assert.is((await bench.messages()).length, 0);
    }));

  test('a send to a suppressed address can be found, and explains why there is no mail', ({ browser }) =>
    withInboxPage(browser, desktop, async ({ bench, page, origin }) => {
      await bench.service.as(bench.workspaceId, { sandbox: true }).suppressions.create({ email: 'grace@example.com' });
      const id = await sendReceipt(bench, 'Grace');
      await page.goto(`${origin}${base}/inbox/?q=grace`);
      await row(page, 'Receipt for Grace').getByText('Suppressed').waitFor();
      await row(page, 'Receipt for Grace').click();
      await page.getByRole('heading', { name: 'No mail was sent' }).waitFor();
      const sentence = await page.locator('.absence p').textContent();
      assert.match(sentence ?? '', 'The recipient is suppressed: an entry made by hand, since ');
      assert.not.match(await page.locator('.bare').innerText(), /\dT\d\d:/);
      await until(page, `document.querySelector('.row.unread') === null`);
      await page.goto(`${origin}${base}/inbox/m/${id}`);
      await page.getByRole('heading', { name: 'No mail was sent' }).waitFor();
      await page.keyboard.press('Shift+Delete');
      await page.getByText('The message is deleted.').waitFor();
      assert.equal(await bench.messages(), []);
    }));

  test("a link to a message opens it, and updates keep the reader's scroll position", ({ browser }) =>
    withInboxPage(browser, desktop, async ({ bench, page, origin, count }) => {
      const id = await sendReceipt(bench, 'Ada');
      await page.goto(`${origin}${base}/inbox/m/${id}?workspace=${bench.workspaceId}`);
      await frameOf(page).getByText('Thank you, Ada').waitFor();
      assert.is(await page.locator('.picker select').inputValue(), bench.workspaceId);
      await until(page, `document.querySelector('iframe.mail').clientHeight > 1600`);
      await inPage(page, `document.querySelector('.reader').scrollTop = 500`);
      bench.advanceClock(1_000);
      await sendReceipt(bench, 'Grace');
      await row(page, 'Receipt for Grace').waitFor();
      await bench.ask(`/messages/${id}/reports`, { method: 'POST', body: { type: 'complaint' } });
      await page.locator('.rail').getByText('Marked as spam').first().waitFor();
      await row(page, 'Receipt for Ada').getByText('Complaint').waitFor();
      assert.is(await inPage(page, `document.querySelector('.reader').scrollTop`), 500);
      assert.is(count('/html?'), 1, 'the message was loaded again');
    }));
});

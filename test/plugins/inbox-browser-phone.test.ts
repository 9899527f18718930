// The page of text messages in a real browser: opened from the inbox, in light and dark, and in a window of 320 px.
// time-limit: 120
// full-run: browser
import * as assert from 'uvu/assert';
import {
  base,
  browserSuite,
  desktop,
  inPage,
  lowContrastTexts,
  overflow,
  withInboxPage,
} from '../support/inbox-visit.ts';

const to = '+14155550123';

browserSuite('the page of text messages in a browser', (test) => {
  for (const colorScheme of ['light', 'dark'] as const)
    test(`the inbox links to the page of text messages, which is readable in ${colorScheme} and in a narrow window`, ({
      browser,
    }) =>
      withInboxPage(browser, { ...desktop, colorScheme }, async ({ bench, page, origin }) => {
        const { sms } = bench.service.as(bench.workspaceId, { sandbox: true });
        await sms.send({ templateKey: 'auth_login_code', to, variables: { code: '482913' } });
        await sms.send({ templateKey: 'auth_login_code', to, variables: { code: '771204' } });
        await bench.drain();
        await page.goto(`${origin}${base}/inbox`);
        // Without mail, the footer of the list is hidden.
        await bench.keep('snd_any');
        await page.getByRole('link', { name: 'Texts to phones' }).click();
        await page.getByRole('heading', { name: 'Texts to phones' }).waitFor();
        assert.is(page.url(), `${origin}${base}/inbox/phone`);
        const phone = page.getByRole('region', { name: `Texts to ${to}` });
        assert.is(await phone.getByRole('listitem').count(), 2);
        assert.match((await phone.textContent()) ?? '', /482913 is your/);
        assert.equal(await inPage(page, lowContrastTexts), []);
        await page.setViewportSize({ width: 320, height: 640 });
        assert.is(await inPage(page, overflow), 0);
        await page.getByRole('link', { name: 'Back to mail' }).click();
        await page.waitForURL(`${origin}${base}/inbox/`);
      }));
});

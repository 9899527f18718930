// time-limit: 180
// The consent page and the page of connected apps in a real browser, below a base path, without scripts: the whole flow of a member, and
// the appearance of the pages. If POSTRIDER_TEST_SCREENSHOTS=FOLDER is set, screenshots are stored there.
// full-run: browser
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import { accessibilityViolations } from '../support/axe.ts';
import { type ConsentBench, type ConsentBenchOptions, openConsentBench } from '../support/consent-bench.ts';
import { saveScreenshot } from '../support/console-visit.ts';
import { inPage, lowContrastTexts, overflow } from '../support/inbox-visit.ts';
import { pkce } from '../support/oauth-bench.ts';
import { openBrowser, openPage, suiteInBrowser } from '../support/page-browser.ts';

const test = suiteInBrowser<{ browser: Browser }>('the consent page in a browser', {
  title: 'the server returns the page of connected apps',
  async run() {
    const bench = await openConsentBench();
    assert.is((await bench.ask('/connected-apps')).status, 200);
    await bench.close();
  },
});

test.before(async (context) => {
  context.browser = await openBrowser();
});
test.after(({ browser }) => browser.close());

interface Visit {
  readonly bench: ConsentBench;
  readonly page: Page;
  readonly pageErrors: string[];
}

async function withConsentPage(
  browser: Browser,
  options: BrowserContextOptions & { readonly bench?: ConsentBenchOptions },
  work: (visit: Visit) => Promise<void>,
): Promise<void> {
  const { bench: benchOptions, ...contextOptions } = options;
  const bench = await openConsentBench(benchOptions);
  const { page, pageErrors } = await openPage(browser, contextOptions);
  try {
    await work({ bench, page, pageErrors });
    assert.equal(pageErrors, []);
  } finally {
    await page.context().close();
    await bench.close();
  }
}

const appearances = [
  ['wide and light', { viewport: { width: 1280, height: 900 }, colorScheme: 'light' }],
  ['wide and dark', { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' }],
  ['narrow and light', { viewport: { width: 320, height: 700 }, colorScheme: 'light' }],
  ['narrow and dark', { viewport: { width: 320, height: 700 }, colorScheme: 'dark' }],
] as const;

for (const [name, look] of appearances)
  test(`${name}: a member allows a client, sees it among the connected apps and ends its grant, without scripts`, async ({
    browser,
  }) => {
    await withConsentPage(browser, { ...look, javaScriptEnabled: false }, async ({ bench, page }) => {
      const both = [bench.workspaceId, bench.foreignWorkspaceId].map((id) => ({ id, scopes: 'full' as const }));
      bench.signIn.present = bench.memberAccess('u_ada', { workspaces: both, signOutUrl: '/sign-out' });
      const { verifier, challenge } = pkce();
      await page.goto(`${bench.url}${bench.authorizePath(challenge)}`);
      assert.is(await page.title(), 'Connect Helper · Postrider');
      await page.getByLabel('Workspace', { exact: true }).selectOption({ label: 'Under test' });
      await page.getByRole('button', { name: 'Choose' }).click();
      assert.is(new URL(page.url()).searchParams.get('workspace'), bench.workspaceId);
      assert.is(await page.getByRole('checkbox', { name: /Put addresses on the list/ }).isChecked(), false);
      await page.getByRole('radio', { name: /Sandbox/ }).check();
      await page.getByText('More limits').click();
      await page.getByLabel('Only recipients at').fill('nonsense');
      assert.is(await inPage<number>(page, overflow), 0, 'the page is too wide');
      assert.equal(await inPage<string[]>(page, lowContrastTexts), []);
      await saveScreenshot(page, `consent-${name.replaceAll(' ', '-')}`);
      await page.getByLabel('Only recipients at').fill('example.com');
      await page.getByRole('checkbox', { name: /Put addresses on the list/ }).check();
      await page.getByRole('button', { name: 'Allow', exact: true }).click();
      await page.waitForURL(/\/callback\?code=/);
      assert.is(await page.locator('h1').textContent(), 'Connected', 'the redirect reached the client');
      await bench.exchange(page.url(), verifier);
      await page.goto(`${bench.url}/connected-apps`);
      await page.getByText(/\d rights/).click();
      assert.match(await page.locator('main').innerText(), /only recipients at example\.com/);
      assert.is(await inPage<number>(page, overflow), 0, 'the page is too wide');
      assert.equal(await inPage<string[]>(page, lowContrastTexts), []);
      await saveScreenshot(page, `connected-apps-${name.replaceAll(' ', '-')}`);
      await page.getByRole('button', { name: /End access of Helper/ }).click();
      assert.is(
        await page.getByRole('status').innerText(),
        'The access has ended. The program is refused from now on.',
      );
      assert.match(await page.locator('main').innerText(), 'No program acts for you.');
    });
  });

for (const [name, look] of appearances)
  test(`${name}: errors are beside their fields and can be read`, async ({ browser }) => {
    await withConsentPage(browser, look, async ({ bench, page, pageErrors }) => {
      await page.goto(`${bench.url}${bench.authorizePath(pkce().challenge)}`);
      await page.getByRole('radio', { name: /Live/ }).check();
      await page.getByText('More limits').click();
      await page.getByLabel('Only these tools').fill('no_such_tool');
      await page.getByRole('button', { name: 'Allow', exact: true }).click();
      const field = page.getByLabel('Only these tools');
      assert.is(await field.getAttribute('aria-invalid'), 'true');
      assert.is(await field.inputValue(), 'no_such_tool');
      assert.is(await page.evaluate('document.activeElement.id'), 'tools', 'the browser moves to the error');
      assert.is(await inPage<number>(page, overflow), 0, 'the page is too wide');
      assert.equal(await inPage<string[]>(page, lowContrastTexts), []);
      await saveScreenshot(page, `consent-faults-${name.replaceAll(' ', '-')}`);
      // The browser reports the answer 422.
      for (const error of pageErrors.splice(0)) assert.match(error, '422');
    });
  });

test('the pages have no serious accessibility errors', async ({ browser }) => {
  await withConsentPage(browser, { bypassCSP: true }, async ({ bench, page }) => {
    await page.goto(`${bench.url}${bench.authorizePath(pkce().challenge)}`);
    assert.equal(await accessibilityViolations(page), []);
    await page.goto(`${bench.url}/connected-apps`);
    assert.equal(await accessibilityViolations(page), []);
  });
});

test('the form works by keyboard alone', async ({ browser }) => {
  await withConsentPage(browser, { javaScriptEnabled: false }, async ({ bench, page }) => {
    await page.goto(`${bench.url}${bench.authorizePath(pkce().challenge)}`);
    await page.getByRole('radio', { name: /Live/ }).focus();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Allow', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/callback\?code=/);
  });
});

test('the Content Security Policy allows the form to open an app with a private scheme', async ({ browser }) => {
  const change: ConsentBenchOptions['change'] = (url) => ({
    ...url,
    redirectUri: 'com.example.helper:/callback',
    redirectKind: 'private',
    redirectHost: 'com.example.helper:',
  });
  await withConsentPage(browser, { bench: { change } }, async ({ bench, page, pageErrors }) => {
    await page.goto(`${bench.url}${bench.authorizePath(pkce().challenge)}`);
    await page.getByRole('radio', { name: /Live/ }).check();
    const answered = page.waitForResponse((response) => response.request().method() === 'POST');
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    const location = (await (await answered).allHeaders())['location'] ?? '';
    assert.match(location, /^com\.example\.helper:\/callback\?code=/);
    await page.waitForTimeout(300);
    // No app is installed here: the navigation fails, but the policy does not block it.
    for (const error of pageErrors.splice(0)) assert.not.match(error, 'Content Security Policy');
  });
});

test('a page of another site can neither frame the page nor send its form', async ({ browser }) => {
  await withConsentPage(browser, {}, async ({ bench, page, pageErrors }) => {
    await page.goto(`${bench.url}${bench.authorizePath(pkce().challenge)}`);
    const consentUrl = `${bench.url}/oauth/consent`;
    // Under another name, the same server is another site for the browser.
    const otherSite = bench.redirectUri.replace('127.0.0.1', 'localhost');
    await page.goto(otherSite);
    await page.setContent(
      `<iframe src="${consentUrl}"></iframe><form method="post" action="${consentUrl}"><input name="decision" value="allow"><button>Win</button></form>`,
    );
    await page.waitForTimeout(300);
    const frame = page.frames().find((one) => one !== page.mainFrame());
    assert.not.match((await frame?.locator('body').innerText()) ?? '', 'wants to use');
    await page.getByRole('button', { name: 'Win' }).click();
    await page.waitForURL(consentUrl);
    assert.match(await page.locator('main').innerText(), 'A page of another site sent this request.');
    assert.equal(await bench.grants(), []);
    pageErrors.splice(0);
  });
});

test.run();

// time-limit: 180
// The page for deciding in a real browser, without scripts, behind a base path: deciding by keyboard, and how it looks.
import type { Server } from 'node:http';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import type { ApprovalsBench } from '../support/approvals-bench.ts';
import { inMemory, openApprovalsBench } from '../support/approvals-bench.ts';
import { closeServer, portOf, serveBelow } from '../support/based-server.ts';
import { inPage, overflow, paleTexts } from '../support/inbox-visit.ts';
import { openBrowser, openPage, suiteInBrowser } from '../support/page-browser.ts';

const base = '/a/b';
const open = () => openApprovalsBench(inMemory, {}, { authorize: () => ({ workspaces: 'all', member: 'u_bea' }) });

const test = suiteInBrowser<{ browser: Browser }>('the page for approvals in a browser', {
  title: 'the page is there to be looked at',
  async run() {
    const bench = await open();
    assert.is((await bench.request('/approvals', { key: '' })).status, 200);
    await bench.close();
  },
});

test.before(async (context) => {
  context.browser = await openBrowser();
});
test.after(({ browser }) => browser.close());

interface Visit {
  readonly bench: ApprovalsBench;
  readonly page: Page;
  readonly origin: string;
  readonly requestId: string;
}

async function visiting(
  browser: Browser,
  work: (visit: Visit) => Promise<void>,
  options: BrowserContextOptions = { viewport: { width: 1280, height: 900 } },
): Promise<void> {
  const bench = await open();
  const server: Server = await serveBelow(base, bench.service);
  const { page, complaints } = await openPage(browser, options);
  try {
    await bench.policy({ required: true });
    await bench.edited('welcome', 'Welcome to the new workshop in Utrecht');
    const body = '<h1 style="color:#14523a">Welcome</h1><p>Your bench is ready on Monday.</p>';
    await bench.edit('welcome', { body });
    const { requestId } = (await bench.publish('welcome')).body.approval;
    await work({ bench, page, origin: `http://localhost:${portOf(server)}${base}`, requestId });
    assert.equal(
      complaints.filter((complaint) => !complaint.includes('422')),
      [],
    );
  } finally {
    await page.context().close();
    await closeServer(server);
    await bench.close();
  }
}

test('a member finds the request, sees both mails, and approves without scripts', async ({ browser }) => {
  await visiting(
    browser,
    async ({ bench, page, origin, requestId }) => {
      await page.goto(`${origin}/approvals`);
      await page.getByRole('link', { name: 'Publish a template: welcome.' }).click();
      assert.is(await page.locator('ins').first().textContent(), 'Welcome to the new workshop in Utrecht');
      const after = page.frameLocator('iframe[title=After]');
      assert.is(await after.locator('h1').textContent(), 'Welcome');
      assert.is(await page.frameLocator('iframe[title=Before]').locator('p').textContent(), 'Hi');
      await page.getByLabel(/Comment/).fill('Good');
      await page.getByRole('button', { name: 'Approve' }).click();
      assert.is(await page.getByRole('status').textContent(), 'Your decision is stored.');
      await bench.drain();
      assert.is((await bench.read(requestId)).execution.status, 'done');
      assert.is((await bench.template('welcome')).version, 2);
      await page.getByRole('link', { name: 'All approvals' }).click();
      assert.match(await page.locator('main').innerText(), 'Nothing waits for a decision.');
    },
    { viewport: { width: 1280, height: 900 }, javaScriptEnabled: false },
  );
});

test('asking for changes says what is missing, and works by keyboard alone', async ({ browser }) => {
  await visiting(browser, async ({ bench, page, origin, requestId }) => {
    await page.goto(`${origin}/approvals/${bench.workspaceId}/${requestId}`);
    await page.getByRole('button', { name: 'Ask for changes' }).focus();
    await page.keyboard.press('Enter');
    assert.is(await page.getByRole('alert').textContent(), 'Say what has to change.');
    await page.getByLabel(/Comment/).focus();
    await page.keyboard.type('Name the street.');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('status').waitFor();
    const { status, decisions } = await bench.read(requestId);
    assert.equal([status, decisions[0].comment], ['changes_requested', 'Name the street.']);
  });
});

for (const [name, options] of [
  ['wide and light', { viewport: { width: 1280, height: 900 }, colorScheme: 'light' }],
  ['narrow and dark', { viewport: { width: 320, height: 700 }, colorScheme: 'dark' }],
] as const) {
  test(`${name}: everything is readable and fits`, async ({ browser }) => {
    await visiting(
      browser,
      async ({ bench, page, origin, requestId }) => {
        for (const path of ['/approvals', `/approvals/${bench.workspaceId}/${requestId}`]) {
          await page.goto(`${origin}${path}`);
          assert.is(await inPage<number>(page, overflow), 0, `${path} is too wide`);
          assert.equal(await inPage<string[]>(page, paleTexts), [], path);
        }
      },
      options,
    );
  });
}

test.run();

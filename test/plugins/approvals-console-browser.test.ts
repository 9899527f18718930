// time-limit: 180
// The approvals of the console in a real browser, without scripts, behind a base path: deciding by keyboard, and their appearance. If
// POSTRIDER_TEST_SCREENSHOTS=FOLDER is set, screenshots are stored there.
// full-run: browser
import type { Server } from 'node:http';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import * as assert from 'uvu/assert';
import type { AccessFunction } from '../../core/index.ts';
import { bodyBytes } from '../../hosts/testing/index.ts';
import { samplePng } from '../../plugins/social/testing/index.ts';
import { type ApprovalsBench, inMemory, openApprovalsBench } from '../support/approvals-bench.ts';
import { closeServer, portOf, serveBelow } from '../support/based-server.ts';
import { saveScreenshot } from '../support/console-visit.ts';
import { inPage, lowContrastTexts, overflow } from '../support/inbox-visit.ts';
import { openBrowser, openPage, suiteInBrowser } from '../support/page-browser.ts';

const base = '/a/b';

/** Signs every visitor in as Bea, with full access to the workspace of the bench. */
const signedIn = (bench: () => ApprovalsBench | undefined): AccessFunction => {
  const workspaces = () => [{ id: bench()?.workspaceId ?? '', scopes: 'full' as const }];
  return () => ({ member: 'u_bea', name: 'Bea', workspaces: workspaces() });
};

async function open(localMember?: string): Promise<ApprovalsBench> {
  let bench: ApprovalsBench | undefined;
  const options = localMember === undefined ? { access: signedIn(() => bench) } : { localMember };
  bench = await openApprovalsBench(inMemory, {}, options);
  return bench;
}

const test = suiteInBrowser<{ browser: Browser }>('the page for approvals in a browser', {
  title: 'the server returns the page',
  async run() {
    const bench = await open();
    assert.is((await bench.request(`/console/${bench.workspaceId}/approvals`, { key: '' })).status, 200);
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

async function withApprovalPage(
  browser: Browser,
  work: (visit: Visit) => Promise<void>,
  options: BrowserContextOptions = { viewport: { width: 1280, height: 900 } },
  localMember?: string,
): Promise<void> {
  const bench = await open(localMember);
  const server: Server = await serveBelow(base, bench.service);
  const { page, pageErrors } = await openPage(browser, options);
  try {
    await bench.policy({ required: true });
    await bench.edited('welcome', 'Welcome to the new workshop in Utrecht');
    const body = '<h1 style="color:#14523a">Welcome</h1><p>Your bench is ready on Monday.</p>';
    await bench.edit('welcome', { body });
    const { requestId } = (await bench.publish('welcome')).body.approval;
    await work({ bench, page, origin: `http://localhost:${portOf(server)}${base}`, requestId });
    // If the browser leaves the page before a frame has loaded, this is not a failure of the page.
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

test('a member finds the request, sees both mails, and approves without scripts', async ({ browser }) => {
  await withApprovalPage(
    browser,
    async ({ bench, page, origin, requestId }) => {
      await page.goto(`${origin}/approvals`);
      await page.getByRole('link', { name: 'Publish a template: welcome.' }).click();
      assert.match(await page.title(), /^Publish a template: welcome\. · /);
      assert.is(await page.locator('ins').first().textContent(), 'Welcome to the new workshop in Utrecht');
      assert.equal(await page.locator('main h2').allTextContents(), [
        'What changes',
        'Side by side',
        'Decide',
        'Request',
      ]);
      const change = await page.locator('ins').first().boundingBox();
      assert.ok(change !== null && change.y + change.height < 900, 'the change is seen without scrolling');
      const after = page.frameLocator('iframe[title=After]');
      assert.is(await after.locator('h1').textContent(), 'Welcome');
      assert.is(await page.frameLocator('iframe[title=Before]').locator('p').textContent(), 'Hi');
      await page.locator('summary', { hasText: 'Approve' }).click();
      await page.getByLabel('Comment').first().fill('Good');
      await page.getByRole('button', { name: 'Approve' }).click();
      assert.is(await page.getByRole('status').textContent(), 'You have approved it.');
      await bench.drain();
      assert.is((await bench.read(requestId)).execution.status, 'done');
      assert.is((await bench.template('welcome')).version, 2);
      await page.getByLabel('Breadcrumb').getByRole('link', { name: 'Approvals' }).click();
      assert.match(await page.locator('main').innerText(), 'Nothing waits for a decision.');
    },
    { viewport: { width: 1280, height: 900 }, javaScriptEnabled: false },
  );
});

test('without a sign-in, a visitor on this machine approves as the configured member', async ({ browser }) => {
  await withApprovalPage(
    browser,
    async ({ bench, page, origin, requestId }) => {
      await page.goto(`${origin}/console/${bench.workspaceId}/approvals/${requestId}`);
      await page.locator('summary', { hasText: 'Approve' }).click();
      await page.getByRole('button', { name: 'Approve' }).click();
      assert.is(await page.getByRole('status').textContent(), 'You have approved it.');
    },
    {},
    'u_bea',
  );
});

test('the mails of a request can be scrolled by keyboard', async ({ browser }) => {
  await withApprovalPage(browser, async ({ bench, page, origin }) => {
    await bench.edit('welcome', { body: `<p>${'Your bench is ready. '.repeat(600)}</p>` });
    const { requestId } = (await bench.publish('welcome')).body.approval;
    await page.goto(`${origin}/console/${bench.workspaceId}/approvals/${requestId}`);
    const after = page.frameLocator('iframe[title=After]').locator('html');
    await page.locator('iframe[title=Before]').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('PageDown');
    for (let checks = 0; (await after.evaluate('document.scrollingElement.scrollTop')) === 0; checks += 1) {
      assert.ok(checks < 100, 'the mail did not scroll');
      await page.waitForTimeout(50);
    }
  });
});

test('asking for changes needs a comment, and works by keyboard alone', async ({ browser }) => {
  await withApprovalPage(browser, async ({ bench, page, origin, requestId }) => {
    await page.goto(`${origin}/console/${bench.workspaceId}/approvals/${requestId}`);
    await page.locator('summary', { hasText: 'Ask for changes' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    // The browser requires the comment, and leads to its field.
    await page.keyboard.press('Enter');
    assert.is(await page.evaluate('document.activeElement.name'), 'comment');
    assert.is((await bench.read(requestId)).status, 'pending');
    await page.keyboard.type('Name the street.');
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
    await withApprovalPage(
      browser,
      async ({ bench, page, origin, requestId }) => {
        for (const path of ['/approvals', `/console/${bench.workspaceId}/approvals/${requestId}`]) {
          await page.goto(`${origin}${path}`);
          assert.is(await inPage<number>(page, overflow), 0, `${path} is too wide`);
          assert.equal(await inPage<string[]>(page, lowContrastTexts), [], path);
        }
      },
      options,
    );
  });
}

for (const [name, options] of [
  ['wide and light', { viewport: { width: 1280, height: 900 }, colorScheme: 'light' }],
  ['narrow and dark', { viewport: { width: 320, height: 700 }, colorScheme: 'dark' }],
] as const)
  test(`${name}: a member sees a sequence that was never public, without scripts`, async ({ browser }) => {
    await withApprovalPage(
      browser,
      async ({ bench, page, origin }) => {
        await bench.policy({ required: true }, 'sequence');
        const nodes = [
          { id: 'greet', kind: 'send_email', templateKey: 'welcome', variables: {} },
          {
            id: 'paid',
            kind: 'branch',
            conditions: [{ filter: { path: 'contact.attributes.plan', op: 'eq', value: 'pro' } }],
          },
          { id: 'pause', kind: 'delay', for: 'P2D' },
          { id: 'note', kind: 'update_contact', attributes: { plan: 'a plan with a long name' } },
        ];
        const edges = [
          { from: 'greet', to: 'paid', when: 'next' },
          { from: 'paid', to: 'pause', when: 'branch:0' },
          { from: 'paid', to: 'note', when: 'else' },
        ];
        const trigger = { kind: 'event', type: 'signed_up' };
        await bench.by('ada', '/v1/sequences', { key: 'onboarding', name: 'First days', nodes, edges, trigger });
        const held = await bench.by('ada', '/v1/sequences/onboarding/publish');
        assert.is(held.status, 202, JSON.stringify(held.body));
        const { requestId } = held.body.approval;
        const address = `${origin}/console/${bench.workspaceId}/approvals/${requestId}`;
        await page.goto(address);
        assert.is(await inPage<number>(page, overflow), 0, 'the page is too wide');
        const after = page.frameLocator('iframe[title=After]');
        assert.equal(await after.locator('h2').allTextContents(), ['Steps', 'What it sends', 'Settings']);
        assert.match(await after.locator('main').innerText(), /When signed_up[\s\S]*Wait 2 days[\s\S]*Version 1/);
        await page.locator('iframe[title=After]').scrollIntoViewIfNeeded();
        const picture = await after.getByRole('img', { name: /First days/ }).boundingBox();
        assert.ok((picture?.height ?? 0) > 200, 'the page shows the picture');
        await page.goto(`${address}/after`);
        assert.is(await inPage<number>(page, overflow), 0);
        await saveScreenshot(page, `approval-sequence-${name.replaceAll(' ', '-')}`);
      },
      { ...options, javaScriptEnabled: false },
    );
  });

/** Calls `work` with the address of the page of a pending post with a picture, a link and a thread, for four networks. */
async function withPostPage(
  browser: Browser,
  work: (visit: { readonly page: Page; readonly address: string; readonly bench: ApprovalsBench }) => Promise<void>,
  options: BrowserContextOptions,
): Promise<void> {
  const opened: { bench?: ApprovalsBench } = {};
  const server = await serveBelow(base, {
    async dispatch(request) {
      const answer = await opened.bench?.service.dispatch(request);
      if (answer === undefined) throw new Error('The service has not started.');
      return { ...answer, body: await bodyBytes(answer.body) };
    },
  });
  const origin = `http://localhost:${portOf(server)}${base}`;
  const bench = await openApprovalsBench(inMemory, {}, { access: signedIn(() => opened.bench), publicUrl: origin });
  opened.bench = bench;
  const { page, pageErrors } = await openPage(browser, options);
  try {
    const { service, workspaceId } = bench;
    for (const provider of ['x', 'bluesky', 'instagram', 'pinterest'])
      await service.connectors.create(workspaceId, {
        kind: 'social',
        provider,
        name: provider,
        credentials: {},
        options: { displayName: 'Acme <b>Inc.</b>' },
      });
    const { social, assets } = service.as(workspaceId);
    await social.networksRefresh();
    const dataBase64 = Buffer.from(samplePng(640, 480)).toString('base64');
    const { assetId } = await assets.create({ name: 'bench.png', dataBase64 });
    await bench.policy({ required: true }, 'social_post');
    const { body } = await bench.by('ada', '/v1/social/posts', {
      channels: ['x', 'bluesky', 'instagram', 'pinterest'],
      caption: 'The workshop in Utrecht opens on Monday.',
      channelCaptions: { bluesky: 'Utrecht, we open on Monday!' },
      threadTweets: ['Bring your bike, we bring the tools.'],
      linkUrl: 'https://acme.example/utrecht',
      media: [{ kind: 'image', assetId, alt: 'A bench with tools' }],
      channelSettings: { pinterest: { boardId: 'board-news', title: 'The workshop' } },
      scheduleAt: new Date(bench.now() + 86_400_000).toISOString(),
    });
    await work({ bench, page, address: `${origin}/console/${workspaceId}/approvals/${body.approval.requestId}` });
    assert.equal(pageErrors, []);
  } finally {
    await page.context().close();
    await closeServer(server);
    await bench.close();
  }
}

for (const [name, options] of [
  ['wide and light', { viewport: { width: 1280, height: 900 }, colorScheme: 'light' }],
  ['narrow and dark', { viewport: { width: 320, height: 700 }, colorScheme: 'dark' }],
] as const)
  test(`${name}: a member sees a post as each network will show it, without scripts, and approves it`, async ({
    browser,
  }) => {
    await withPostPage(
      browser,
      async ({ bench, page, address }) => {
        await page.goto(address);
        assert.is(await inPage<number>(page, overflow), 0, 'the page is too wide');
        assert.match(await page.locator('main').innerText(), /Goes out on \d+ \w+ \d{4} at \d\d:\d\d UTC/);
        const after = page.frameLocator('iframe[title=After]');
        const card = (label: string) => after.getByRole('article', { name: label });
        assert.is(await after.getByRole('article').count(), 4);
        const x = await card('X: Acme <b>Inc.</b>').innerText();
        assert.match(x, /Utrecht opens on Monday\.\s+https:\/\/acme\.example\/utrecht\s[\s\S]*Bring your bike/);
        assert.match(x, 'Alternative text 1: A bench with tools');
        assert.match(await card('Bluesky: Acme <b>Inc.</b>').innerText(), 'Utrecht, we open on Monday!');
        const pin = await card('Pinterest: Acme <b>Inc.</b>').innerText();
        assert.match(pin, /The workshop[\s\S]*Board: News/);
        const picture = card('Instagram: Acme <b>Inc.</b>').getByRole('img', { name: 'A bench with tools' });
        await page.locator('iframe[title=After]').scrollIntoViewIfNeeded();
        await picture.scrollIntoViewIfNeeded();
        await page.waitForLoadState('networkidle');
        assert.ok(((await picture.boundingBox())?.height ?? 0) > 100, 'the page shows the picture');
        await saveScreenshot(page, `approval-post-${name.replaceAll(' ', '-')}`);
        await page.locator('summary', { hasText: 'Approve' }).click();
        await page.getByRole('button', { name: 'Approve' }).focus();
        await page.keyboard.press('Enter');
        await page.getByRole('status').waitFor();
        await bench.drain();
        const [post] = (await bench.request('/v1/social/posts')).body.data;
        assert.is(post.status, 'scheduled');
      },
      { ...options, javaScriptEnabled: false },
    );
  });

for (const [name, options] of [
  ['wide and dark', { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' }],
  ['narrow and light', { viewport: { width: 320, height: 700 }, colorScheme: 'light' }],
] as const)
  test(`${name}: the preview of a post is readable and fits`, async ({ browser }) => {
    await withPostPage(
      browser,
      async ({ page, address }) => {
        await page.goto(`${address}/after`);
        await page.getByRole('article').first().waitFor();
        assert.is(await inPage<number>(page, overflow), 0);
        assert.equal(await inPage<string[]>(page, lowContrastTexts), []);
        await saveScreenshot(page, `approval-preview-${name.replaceAll(' ', '-')}`);
      },
      options,
    );
  });

test.run();

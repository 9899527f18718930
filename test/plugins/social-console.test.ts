// time-limit: 120
// The social posts page: access, the calendar, cards and simulated faults, and its appearance in a real browser, behind a base path, in
// light, dark and narrow. With POSTRIDER_TEST_SCREENSHOTS=FOLDER it saves screenshots there.
// full-run: browser
import type { Browser } from 'playwright-core';
import * as assert from 'uvu/assert';
import { captureSocial } from '../../adapters/social/capture.ts';
import { createTestService } from '../../hosts/testing/index.ts';
import { connectorsPlugin, standardPlugins } from '../../plugins/index.ts';
import { socialPlugin } from '../../plugins/social/index.ts';
import { samplePng } from '../../plugins/social/testing/index.ts';
import { pageRequester, saveScreenshot, visitUnderBasePath } from '../support/console-visit.ts';
import { inPage, lowContrastTexts, overflow, until } from '../support/inbox-visit.ts';
import { openBrowser, suiteInBrowser } from '../support/page-browser.ts';

const channels = ['x', 'linkedin', 'bluesky', 'instagram', 'pinterest', 'threads', 'facebook'];

/** A service with accounts on several networks, posts of the month, and one with problems. */
async function openBench(options: Parameters<typeof socialPlugin>[0] = { console: {} }) {
  const networks = captureSocial();
  const bench = await createTestService({
    plugins: standardPlugins.map((plugin) => {
      if (plugin.id === 'social') return socialPlugin(options);
      return plugin.id === 'connectors' ? connectorsPlugin({ providers: networks }) : plugin;
    }),
    startAt: Date.UTC(2026, 4, 20, 12),
  });
  const { service, workspaceId } = bench;
  const connectable = channels.filter((channelId) => networks.some(({ rules }) => rules.channelId === channelId));
  for (const channelId of connectable)
    await service.connectors.create(workspaceId, {
      kind: 'social',
      provider: `capture-${channelId}`,
      name: channelId,
      credentials: {},
      options: { displayName: 'Acme <b>Inc.</b>' },
    });
  const { social, socialEvents, campaigns, assets } = service.as(workspaceId);
  await social.networksRefresh({});
  const dataBase64 = Buffer.from(samplePng(64, 64)).toString('base64');
  const { assetId } = await assets.create({ name: 'sky.png', dataBase64 });
  const texts = ['x', 'bluesky'].filter((channelId) => connectable.includes(channelId));
  const live = await social.postCreate({
    channels: texts,
    caption: '<i>Acme</i> 2.0 is here',
    threadTweets: ['and more'],
    publish: true,
  });
  await social.postCreate({ channels: texts, caption: 'Later', scheduleAt: '2026-05-28T09:30:00.000Z' });
  await social.postCreate({
    channels: texts,
    caption: '',
    mode: 'hold',
    scheduleAt: '2026-06-02T09:00:00.000Z',
    brief: 'A place for the summer',
  });
  await social.postCreate({ channels: ['x'], caption: 'word '.repeat(80) });
  await social.postCreate({
    channels: connectable.filter((channelId) => channelId !== 'pinterest'),
    caption: 'With a picture',
    media: [{ kind: 'image', assetId, alt: 'A grey sky' }],
  });
  await socialEvents.trigger({
    eventKey: 'release_published',
    variables: { product: 'Acme <u>Studio</u>', version: '4.2', summary: 'Boards load at once.' },
    channels: texts,
  });
  await socialEvents.trigger({ eventKey: 'back_in_stock', variables: { product: 'Oak' }, outcome: 'preview' });
  const scheduleAt = '2026-05-27T08:00:00.000Z';
  await campaigns.planned({ name: 'Season <s>letter</s>', scheduleAt, timezone: 'Europe/Berlin', description: 'News' });
  await bench.drain();
  const ask = pageRequester(service, '/social-console');
  return { bench, ask, networks, live, workspaceId, assetId };
}

const test = suiteInBrowser<{ browser: Browser }>('the page of social posts', {
  title: 'the page answers (no browser is installed)',
  async run() {
    const { bench, ask } = await openBench();
    assert.is((await ask('')).status, 200);
    await bench.close();
  },
});

test.before(async (context) => {
  context.browser = await openBrowser();
});
test.after(({ browser }) => browser.close());

test('without a sign-in the page is for this machine only, and by default it does not exist', async () => {
  const open = await openBench();
  assert.is((await open.ask('', { host: 'example.com' })).status, 403);
  assert.is((await open.ask('/fault', { 'sec-fetch-site': 'cross-site' }, 'POST')).status, 403);
  await open.bench.close();
  const none = await openBench({});
  assert.is((await none.ask('')).status, 404);
  await none.bench.close();
});

test('the calendar shows posts and planned emails at their time, by month and by week', async () => {
  const { bench, ask } = await openBench();
  const month = (await ask('')).text;
  assert.match(month, /<h1>May 2026<\/h1>/);
  assert.match(month, /&lt;i&gt;Acme&lt;\/i&gt; 2\.0/);
  assert.match(month, /2 posts, 1 email\. Times are UTC\./);
  assert.match(month, /08:00<\/time> <b>email<\/b> Season &lt;s&gt;letter&lt;\/s&gt;[\s\S]*09:30/);
  const week = (await ask('?view=week&at=2026-06-02')).text;
  assert.match(week, /<h1>Week from 2026-06-01<\/h1>/);
  assert.match(week, /A place for the summer/);
  assert.not.match(week, /Acme/);
  const other = (await ask('?side=sandbox')).text;
  assert.match(other, /1 email\./);
  assert.not.match(other, /Acme/);
  assert.match((await ask('?side=sandbox&view=week&at=2026-07-01')).text, /Nothing is planned here/);
  const { broadcasts } = bench.service.as(bench.workspaceId);
  await broadcasts.create({ name: 'Letter of July', sendAt: '2026-07-02T07:00:00Z' });
  const july = (await ask('?view=week&at=2026-07-01')).text;
  assert.match(july, /07:00<\/time> <b>email<\/b> Letter of July <span class="hush">draft</);
  await bench.close();
});

test('cards show parts, lengths, problems and the status of a post; a form sets simulated faults', async () => {
  const { bench, ask, networks, live, workspaceId, assetId } = await openBench();
  const { text } = await ask('?view=cards');
  assert.match(text, /Acme &lt;b&gt;Inc\.&lt;\/b&gt;/);
  assert.match(text, /<b class="bad">\d+ of 280: too long<\/b>/);
  assert.match(text, /text_too_long/);
  assert.match(text, /alt="A grey sky"/);
  const { text: one } = await ask(`?view=cards&post=${live.id}`);
  assert.match(one, /<title>&lt;i&gt;Acme&lt;\/i&gt; 2\.0 is here · Social posts[\s\S]*published/);
  const [, rules = ''] = /aria-label="Rules of Bluesky">(.*?)<\/article>/s.exec(text) ?? [];
  assert.match(
    rules,
    /<b>Text<\/b> 300 characters, 3000 bytes[\s\S]*up to 4 images, or 1 video[\s\S]*read on \d{4}-\d\d-\d\d/,
  );
  const image = await ask(`/media?workspace=${workspaceId}&asset=${assetId}`);
  assert.equal([image.status, image.headers['content-type'] ?? image.headers['Content-Type']], [200, 'image/png']);
  const form = 'provider=capture-x&fault=rejected';
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
  assert.is((await ask(`/fault?workspace=${workspaceId}`, headers, 'POST', form)).status, 303);
  assert.is(networks.find(({ provider }) => provider === 'capture-x')?.capture.simulatedFault, 'rejected');
  await bench.close();
});

test('events show their texts, their status and a link to their post', async () => {
  const { bench, ask, workspaceId } = await openBench();
  const { text } = await ask('?view=events');
  assert.match(text, /Release published[\s\S]*drafted[\s\S]*Acme &lt;u&gt;Studio&lt;\/u&gt; 4\.2 is out\./);
  assert.match(text, /<li>Text: \d+ of 280<\/li>/);
  assert.match(text, /Back in stock[\s\S]*previewed[\s\S]*No post: it was a preview\./);
  const [, link = ''] = /<a href="([^"]+)">The post on its networks/.exec(text) ?? [];
  assert.match((await ask(link.replaceAll('&amp;', '&'))).text, /<h1>Post<[\s\S]*4\.2 is out/);
  assert.match((await ask(`?workspace=${workspaceId}&side=sandbox&view=events`)).text, /No events yet/);
  await bench.close();
});

test('a placeholder post (mode hold) shows its brief, and the URL of a deleted post shows a message', async () => {
  const { bench, ask } = await openBench();
  const { social } = bench.service.as(bench.workspaceId);
  const scheduleAt = new Date(bench.now() + 86_400_000).toISOString();
  await social.postCreate({ mode: 'hold', channels: ['x'], brief: 'The <b>autumn</b> chairs', scheduleAt });
  assert.match((await ask('?view=cards')).text, '<li dir="auto">For: The &lt;b&gt;autumn&lt;/b&gt; chairs</li>');
  const missing = await ask('?view=cards&post=soc_gone', { accept: 'text/html' });
  assert.is(missing.status, 404);
  assert.match(missing.text, '<h1>Not here</h1><p>There is no post soc_gone.</p>');
  await bench.close();
});

for (const colorScheme of ['light', 'dark'] as const)
  test(`in ${colorScheme} the page is legible, fits from 320 px, and works by keyboard without a script`, async ({
    browser,
  }) => {
    const { bench } = await openBench();
    const options = { colorScheme, viewport: { width: 1280, height: 900 } };
    await visitUnderBasePath(browser, bench, options, async ({ page, origin, pageErrors }) => {
      const address = `${origin}/social-console`;
      for (const width of [1280, 390, 320]) {
        await page.setViewportSize({ width, height: 800 });
        for (const view of ['month', 'week', 'cards', 'events']) {
          await page.goto(`${address}?view=${view}`);
          assert.match(await page.title(), / · Social posts · Postrider$/);
          if (view === 'cards') for (const folded of await page.locator('summary').all()) await folded.press('Enter');
          assert.equal(await inPage(page, lowContrastTexts), [], view);
          assert.ok((await inPage<number>(page, overflow)) <= 0, `${view} at ${width} px`);
          await saveScreenshot(page, `social-${view}-${colorScheme}-${width}`);
        }
      }
      await page.goto(address);
      await page.getByRole('link', { name: 'Week' }).press('Enter');
      await page.getByRole('heading', { level: 1, name: /^Week from/ }).waitFor();
      await page.getByRole('link', { name: 'Cards', exact: true }).press('Enter');
      await page.locator('summary').first().press('Enter');
      await page.locator('select').first().selectOption('limited');
      await page.getByRole('button', { name: 'Set' }).first().press('Enter');
      await page.waitForURL(/view=cards/);
      await page.locator('summary').first().press('Enter');
      assert.is(await page.locator('select').first().inputValue(), 'limited');
      const drawn = "[...document.querySelectorAll('.media img')].some((image) => image.naturalWidth > 0)";
      await until(page, drawn);
      assert.equal(pageErrors, []);
    });
  });

test.run();

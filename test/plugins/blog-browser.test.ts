// The public blog in a real browser: the list, a long article, a second page and a preview, wide and narrow, light and dark.
// time-limit: 180
// full-run: browser
import type { Server } from 'node:http';
import type { Browser } from 'playwright-core';
import * as assert from 'uvu/assert';
import { createTestService, type TestService } from '../../hosts/testing/index.ts';
import { png } from '../support/asset-files.ts';
import { accessibilityViolations } from '../support/axe.ts';
import { closeServer, portOf, serveBelow } from '../support/based-server.ts';
import { lowContrastTexts, overflow } from '../support/inbox-visit.ts';
import { openBrowser, openPage, suiteInBrowser } from '../support/page-browser.ts';
import { bareStandardPlugins } from '../support/plugins.ts';
import { visit } from '../support/tracked-mail.ts';

type Ids = (typeof bareStandardPlugins)[number]['id'];
const host = 'blog.localhost';

const article = (
  assetId: string,
) => `Two weeks away, and the starter lives. It needs **one feeding**, a jar and a cold place. See [the shop](https://shop.example/flour).

## In the fridge

Feed it, wait an hour, then close the jar. What matters, in this order:

1. Fresh flour
2. Cold water
   - from the tap
   - or filtered
3. Patience

> A starter is a pet that forgives you. It has been through worse than a holiday.

### How long it keeps

| Place | Temperature | Days | What to do when you are back and want to bake on the same evening |
|:--|--:|--:|:--|
| Fridge | 4 °C | 14 | Feed twice |
| Cellar | 12 °C | 5 | Feed once |

![A jar with a lid](asset:${assetId} "The jar that we use")

\`\`\`sh
feed --flour 50g --water 50g --then "wait one hour and look whether it has doubled, and only then close it" --quietly
\`\`\`

- [x] Feed it
- [ ] Tell the \`neighbour\`

***

A-word-that-is-much-too-long-for-a-narrow-screen-and-has-to-break-somewhere-before-its-end. And a note[^1].

[^1]: Rye keeps longer than wheat.
`;

interface Context {
  readonly browser: Browser;
  readonly bench: TestService<Ids>;
  readonly server: Server;
  readonly urls: Readonly<Record<'list' | 'second' | 'post' | 'preview' | 'apart' | 'missing', string>>;
}

async function open(): Promise<Omit<Context, 'browser'>> {
  const bench = await createTestService<Ids>({ publicUrl: 'http://127.0.0.1', plugins: bareStandardPlugins });
  const { assets, blog, brand, workspace } = bench.service.as(bench.workspaceId);
  await brand.create({ name: 'Acme bakery', palette: { primary: '#ffd54a', text: '#888888', background: '#fffdf5' } });
  const loaf = { name: 'loaf.png', alt: 'A loaf', dataBase64: png(1200, 630).toString('base64') };
  const { assetId } = await assets.create(loaf);
  const [author] = (await workspace.members({})).data;
  for (let number = 1; number <= 20; number += 1) {
    const { id } = await blog.create({
      title: `Flour of the week, part ${number}`,
      body: 'What we milled, and for whom.',
    });
    await blog.publish({ idOrSlug: id });
    bench.advanceClock(86_400_000);
  }
  const { id, previewUrl } = await blog.create({
    ...{
      title: 'A starter that survives your holiday',
      slug: 'starter',
      body: article(assetId),
      coverAssetId: assetId,
    },
    excerpt: 'Three ways to keep sourdough alive for two weeks, and what to do when you are back.',
    tags: ['sourdough', 'fridge'],
    ...(author === undefined ? {} : { authorUid: author.uid }),
  });
  await blog.publish({ idOrSlug: id });
  const server = await serveBelow('', bench.service);
  const port = portOf(server);
  const { pathname } = new URL(previewUrl ?? '');
  const apart = `http://127.0.0.1:${port}/p/${bench.workspaceId}/blog/starter`;
  const at = (path: string) => `http://${host}:${port}${path}`;
  const preview = at(pathname.replace(`/p/${bench.workspaceId}`, ''));
  return {
    ...{ bench, server },
    urls: {
      list: at('/blog'),
      second: at('/blog?page=2'),
      post: at('/blog/starter'),
      preview,
      apart,
      missing: at('/blog/x'),
    },
  };
}

const test = suiteInBrowser<Context>('the public blog in a browser', {
  title: 'a long article is served without a browser, too',
  run: async () => {
    const { bench, server, urls } = await open();
    assert.is((await visit(bench, new URL(urls.apart).pathname)).status, 200);
    await closeServer(server);
    await bench.close();
  },
});

test.before(async (context) => {
  Object.assign(context, await open(), { browser: await openBrowser() });
});
test.after(async ({ browser, server, bench }) => {
  await browser.close();
  await closeServer(server);
  await bench.close();
});

/** The items of task lists: their boxes and their bullets. */
const boxedItems = `[...document.querySelectorAll('li')].filter((one) => /^[☑☐]/.test(one.innerText)).map((one) =>
  one.innerText[0] + ' ' + getComputedStyle(one).listStyleType)`;

// Pictures cannot be loaded in this test: the port is not known yet when the service is created.
const expected = (error: string): boolean => !/\/media\/|\/assets\/|favicon|CONNECTION_REFUSED|404/.test(error);

for (const [name, width, scheme] of [
  ['wide and light', 1280, 'light'],
  ['wide and dark', 1280, 'dark'],
  ['a phone', 390, 'light'],
  ['a phone and dark', 390, 'dark'],
] as const)
  test(`list, article and preview: ${name}`, async ({ browser, bench, urls }) => {
    const options = { viewport: { width, height: 900 }, colorScheme: scheme } as const;
    const { page, pageErrors } = await openPage(browser, options);
    await bench.service.workspaces.update(bench.workspaceId, { contentHost: null });
    // Without a content host, pages are below the path of the workspace, in a sandbox.
    await page.goto(urls.apart);
    assert.is(await page.evaluate(overflow), 0);
    await bench.service.workspaces.update(bench.workspaceId, { contentHost: host });
    for (const url of [urls.list, urls.second, urls.post, urls.preview, urls.missing]) {
      await page.goto(url);
      assert.is(await page.evaluate(overflow), 0, `nothing reaches out of the window: ${url}`);
      assert.equal(await page.evaluate(lowContrastTexts), [], url);
      assert.equal(await accessibilityViolations(page), [], url);
    }
    await page.goto(urls.post);
    assert.equal(await page.evaluate(boxedItems), ['☑ none', '☐ none'], 'a box takes the place of the bullet');
    assert.equal(pageErrors.filter(expected), []);
    await page.context().close();
  });

test.run();

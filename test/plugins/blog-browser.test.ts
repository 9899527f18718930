// The public blog in a real browser: the list, a long article, posts in three languages, tags and a preview, wide and narrow,
// light and dark.
// time-limit: 180
// full-run: browser
import type { Server } from 'node:http';
import type { Browser } from 'playwright-core';
import * as assert from 'uvu/assert';
import { createTestService, type TestService } from '../../hosts/testing/index.ts';
import { blogPlugin } from '../../plugins/blog/index.ts';
import { png } from '../support/asset-files.ts';
import { accessibilityViolations } from '../support/axe.ts';
import { closeServer, portOf, serveBelow } from '../support/based-server.ts';
import { saveScreenshot } from '../support/console-visit.ts';
import { lowContrastTexts, overflow } from '../support/inbox-visit.ts';
import { openBrowser, openPage, suiteInBrowser } from '../support/page-browser.ts';
import { bareStandardPlugins } from '../support/plugins.ts';
import { visit } from '../support/tracked-mail.ts';

type Ids = (typeof bareStandardPlugins)[number]['id'];
const host = 'blog.localhost';

/** Posts in languages other than that of the blog, with their tags. */
const translated = [
  {
    ...{
      language: 'de',
      slug: 'sauerteig',
      title: 'Donaudampfschifffahrtsgesellschaftskapitänsfrühstück und Sauerteig',
    },
    ...{ tags: ['Roggenbrot', 'Käse & Brot'], excerpt: 'Zwei Wochen weg, und der Ansatz lebt.' },
    body: 'Füttern, warten, kühlen.\n\n### Im Kühlschrank\n\nHält **vierzehn Tage**.\n\n> Geduld.',
  },
  {
    ...{ language: 'ja', slug: 'サワードウ', title: '休暇のあいだサワードウを生かしておく方法' },
    ...{ tags: ['パン', '発酵'], excerpt: '二週間の旅行から帰っても、種は元気です。' },
    body: '餌をやり、一時間待ってから冷やします。\n\n# 冷蔵庫で\n\n**二週間**もちます。\n\n1. 粉\n2. 水',
  },
  {
    ...{ language: 'ar', slug: 'خميرة', title: 'خميرة تبقى حية أثناء عطلتك' },
    ...{ tags: ['خبز', 'C++'], excerpt: 'أسبوعان بعيدًا عن البيت، وتبقى الخميرة حية.' },
    body: 'أطعمها، وانتظر ساعة، ثم ضعها في الثلاجة.\n\n## في الثلاجة\n\nتبقى **أسبوعين**.\n\n- دقيق\n- ماء\n\n> صبر.',
  },
] as const;

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
  readonly urls: Readonly<
    Record<'list' | 'second' | 'post' | 'preview' | 'apart' | 'missing' | 'tag' | 'de' | 'ja' | 'ar', string>
  >;
}

async function open(): Promise<Omit<Context, 'browser'>> {
  let listId: string | undefined;
  const blogWithForm = blogPlugin({ subscribeList: () => listId });
  const plugins = bareStandardPlugins.map((plugin) => (plugin.id === 'blog' ? blogWithForm : plugin));
  const bench = await createTestService<Ids>({ publicUrl: 'http://127.0.0.1', plugins });
  const { assets, blog, brand, lists, workspace } = bench.service.as(bench.workspaceId);
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
  for (const post of translated) {
    bench.advanceClock(60_000);
    await blog.publish({ idOrSlug: (await blog.create(post)).id });
  }
  listId = (await lists.create({ name: 'Post from the bakery', optin: 'double', visibility: 'public' })).listId;
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
      tag: at(`/blog/tags/${encodeURIComponent('خبز')}`),
      ...{ de: at('/blog/sauerteig'), ja: at(`/blog/${encodeURIComponent('サワードウ')}`) },
      ar: at(`/blog/${encodeURIComponent('خميرة')}`),
    },
  };
}

const test = suiteInBrowser<Context>('the public blog in a browser', {
  title: 'the server returns a long article',
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

// Pictures cannot be loaded in this test: the service is created before its port is known.
const isExpected = (error: string): boolean => !/\/media\/|\/assets\/|favicon|CONNECTION_REFUSED|404/.test(error);

for (const [name, width, scheme] of [
  ['wide and light', 1280, 'light'],
  ['wide and dark', 1280, 'dark'],
  ['a phone', 320, 'light'],
  ['a phone and dark', 320, 'dark'],
] as const)
  test(`the pages of the blog fit and are accessible: ${name}`, async ({ browser, bench, urls }) => {
    const options = { viewport: { width, height: 900 }, colorScheme: scheme } as const;
    const { page, pageErrors } = await openPage(browser, options);
    await bench.service.workspaces.update(bench.workspaceId, { contentHost: null });
    // Without a content host, pages are below the path of the workspace, in a sandbox.
    await page.goto(urls.apart);
    assert.is(await page.evaluate(overflow), 0);
    await bench.service.workspaces.update(bench.workspaceId, { contentHost: host });
    const { list, second, post, preview, missing, tag, de, ja, ar } = urls;
    for (const [view, url] of Object.entries({ list, second, post, preview, missing, tag, de, ja, ar })) {
      await page.goto(url);
      await saveScreenshot(page, `blog-${view}-${width}-${scheme}`);
      assert.is(await page.evaluate(overflow), 0, `${url} is wider than the window`);
      assert.equal(await page.evaluate(lowContrastTexts), [], url);
      assert.equal(await accessibilityViolations(page), [], url);
    }
    await page.goto(urls.post);
    assert.equal(await page.evaluate(boxedItems), ['☑ none', '☐ none'], 'a box replaces the bullet');
    assert.equal(pageErrors.filter(isExpected), []);
    await page.context().close();
  });

test.run();

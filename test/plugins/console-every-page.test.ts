// Every page of the console in a browser, with the sample data of development: nothing overflows at 320 px, in either writing
// direction, and axe finds no serious fault in light, dark and forced colours. The list of pages comes from the composed plugins, so the
// test covers new pages automatically. It reaches each page by links, and fails if no link leads to a page.
// time-limit: 600
// full-run: browser
import type { Browser } from 'playwright-core';
import * as assert from 'uvu/assert';
import { accessibilityViolations } from '../support/axe.ts';
import { onePageOfEach } from '../support/console-pages.ts';
import { openSamples } from '../support/console-samples.ts';
import { saveScreenshot, visitUnderBasePath } from '../support/console-visit.ts';
import { inPage, overflow } from '../support/inbox-visit.ts';
import { openBrowser, suiteInBrowser } from '../support/page-browser.ts';

type Samples = Awaited<ReturnType<typeof openSamples>>;

const test = suiteInBrowser<{ browser: Browser; samples: Samples; pages: Awaited<ReturnType<typeof onePageOfEach>> }>(
  'every page of the console',
  {
    title: 'links lead to every page',
    async run() {
      const samples = await openSamples();
      assert.equal((await onePageOfEach(samples)).lost, []);
      await samples.close();
    },
  },
);

test.before(async (context) => {
  context.browser = await openBrowser();
  context.samples = await openSamples();
  context.pages = await onePageOfEach(context.samples);
});
test.after(async ({ browser, samples }) => {
  await browser.close();
  await samples.close();
});

test('a link leads to every page', async ({ pages }) => {
  assert.equal(pages.lost, []);
});

const looks = [
  { name: 'light', width: 1280, colours: { colorScheme: 'light' } },
  { name: 'dark', width: 320, colours: { colorScheme: 'dark' } },
  { name: 'forced', width: 900, colours: { forcedColors: 'active' } },
] as const;

for (const { name, width, colours } of looks)
  test(`every page is accessible and fits, ${name}, at ${width} px`, async ({ browser, samples, pages: { found } }) => {
    const faults: string[] = [];
    const options = { ...colours, viewport: { width, height: 900 } };
    await visitUnderBasePath(
      browser,
      { service: samples.service, close: async () => undefined },
      options,
      async ({ page, origin }) => {
        for (const [kind, path] of found) {
          const answer = await page
            .goto(`${origin}/console/${samples.workspaceId}/${path}?side=sandbox`)
            .catch(() => null);
          // The test skips files and the contents of frames: they are not whole pages of the console.
          if (answer === null || !(await answer.text()).includes('<main id="main"')) continue;
          for (const violation of await accessibilityViolations(page)) faults.push(`${kind}: ${violation}`);
          if ((await inPage<number>(page, overflow)) > 0) faults.push(`${kind}: wider than the window`);
          await saveScreenshot(page, `every-${kind.replaceAll(/[/{}]/g, '_')}-${name}`);
          await inPage(page, "document.documentElement.dir = 'rtl'");
          if ((await inPage<number>(page, overflow)) > 0) faults.push(`${kind}: wider than the window, right to left`);
        }
      },
    );
    assert.equal(faults, []);
  });

test.run();

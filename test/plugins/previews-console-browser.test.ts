// The preview of templates, the comparison of versions and the galleries in a real browser below a base path: wide and narrow, light and
// dark, with Arabic content, with and without script. With POSTRIDER_TEST_SCREENSHOTS=FOLDER it saves screenshots there.
// time-limit: 300
// full-run: browser
import type { Browser } from 'playwright-core';
import * as assert from 'uvu/assert';
import { png } from '../support/asset-files.ts';
import { accessibilityViolations } from '../support/axe.ts';
import { browserHeaders, openConsoleBench } from '../support/console-bench.ts';
import { saveScreenshot, visitUnderBasePath } from '../support/console-visit.ts';
import { inPage, lowContrastTexts, overflow, until } from '../support/inbox-visit.ts';
import { openBrowser, suiteInBrowser } from '../support/page-browser.ts';

const body = `<!doctype html><html><head><meta name="color-scheme" content="light dark"><style>
body { margin: 0; font: 16px/24px sans-serif; background: #fff; color: #16241d }
@media (prefers-color-scheme: dark) { body { background: #101512 !important; color: #e4ece7 !important } }
main { max-width: 600px; margin: 0 auto; padding: 24px }
@media (max-width: 480px) { h1 { font-size: 20px } }
</style></head><body><main>
<h1>Your course begins</h1>
<p>Hello {{ name }}, the first evening is on Monday.</p>
<p>Bring flour and an apron.</p>
</main></body></html>`;

const arabic = body
  .replace('Your course begins', 'تبدأ دورتك')
  .replace('Hello {{ name }}, the first evening is on Monday.', 'مرحبًا {{ name }}، الأمسية الأولى يوم الاثنين.')
  .replace('Bring flour and an apron.', 'أحضر الدقيق ومئزرًا.');

/** Opens a bench with a template in two languages and three versions, and content with pictures. */
async function openFilled() {
  const bench = await openConsoleBench({
    members: [{ uid: 'u_sue', name: 'Sue', email: 'sue@example.com', role: 'owner' }],
  });
  const { calls } = bench;
  const key = 'course_begins';
  const subject = 'Your course begins, {{ name }}';
  await calls.templates.create({
    ...{ key, name: 'دورة الخبز', mode: 'html', locale: 'en', subject, body },
    locales: { ar: { subject: 'تبدأ دورتك يا {{ name }}', body: arabic } },
  });
  await calls.templates.publish({ key });
  await calls.templates.update({ key, body: body.replace('an apron', 'an apron and a towel') });
  await bench.post(`/templates/${key}`, { action: 'publish', key: 'k1' });
  await calls.templates.update({
    key,
    subject: 'Your course begins on Monday, {{ name }}',
    body: body.replace('an apron', 'an apron, a towel and <strong>a friend</strong>'),
  });
  const loaf = await calls.assets.create({ name: 'Loaf', dataBase64: png(64, 48).toString('base64'), alt: 'A loaf' });
  await calls.assets.create({ name: 'رغيف خبز طازج من الفرن', dataBase64: png(48, 64).toString('base64') });
  await calls.designs.create({ name: 'Header', brief: 'A header for the course.' });
  await bench.drain();
  await calls.blog.create({ title: 'Rye keeps for a week', body: 'Bread.', coverAssetId: loaf.assetId });
  await calls.blog.create({ title: 'خبز الجاودار', body: 'خبز.' });
  const template = `templates/${key}`;
  const paths = {
    light: template,
    dark: `${template}?colours=dark`,
    phone: `${template}?as=phone&language=ar&colours=dark`,
    text: `${template}?as=text&language=ar`,
    fallback: `${template}?language=fr&copy=working`,
    versions: `${template}/versions`,
    first: `${template}/versions?before=1&after=2`,
    ...Object.fromEntries(
      ['templates', 'assets', 'designs', 'blog'].flatMap((list) => [
        [list, list],
        [`${list}-gallery`, `${list}?view=gallery`],
      ]),
    ),
  };
  return { ...bench, paths };
}

/** The policy of the mail's frame keeps the browser from loading the picture in the receipt of the bench. */
const isFault = (error: string): boolean => !error.includes('https://elsewhere.example/dot.png');

const test = suiteInBrowser<{ browser: Browser }>('previews and galleries in a browser', {
  title: 'the server returns the gallery of templates',
  async run() {
    const bench = await openConsoleBench();
    assert.is((await bench.page('/templates?view=gallery', browserHeaders)).status, 200);
    await bench.close();
  },
});

test.before(async (context) => {
  context.browser = await openBrowser();
});
test.after(({ browser }) => browser.close());

for (const [colorScheme, width] of [
  ['light', 1280],
  ['dark', 320],
] as const)
  test(`in ${colorScheme} every page fits and can be read, at ${width} px, in both writing directions`, async ({
    browser,
  }) => {
    const bench = await openFilled();
    const options = { colorScheme, viewport: { width, height: 800 } };
    await visitUnderBasePath(browser, bench, options, async ({ page, origin, pageErrors }) => {
      for (const [name, path] of Object.entries(bench.paths)) {
        await page.goto(`${origin}/console/${bench.workspaceId}/${path}`, { waitUntil: 'networkidle' });
        assert.equal(await accessibilityViolations(page), [], `${path} at ${width} px`);
        assert.equal(await inPage(page, lowContrastTexts), [], `${path} at ${width} px`);
        assert.ok((await inPage<number>(page, overflow)) <= 0, `${path} at ${width} px`);
        await saveScreenshot(page, `previews-${name}-${colorScheme}`);
        await inPage(page, "document.documentElement.dir = 'rtl'");
        assert.ok((await inPage<number>(page, overflow)) <= 0, `${path} at ${width} px, right to left`);
        await saveScreenshot(page, `previews-${name}-${colorScheme}-rtl`);
      }
      assert.equal(pageErrors.filter(isFault), []);
    });
  });

test('without a script a person looks at the mail in Arabic, dark and at 320 px, and the pictures are there', async ({
  browser,
}) => {
  const bench = await openFilled();
  const options = { javaScriptEnabled: false, viewport: { width: 1280, height: 1200 } };
  await visitUnderBasePath(browser, bench, options, async ({ page, origin, pageErrors }) => {
    await page.goto(`${origin}/console/${bench.workspaceId}/templates/course_begins`);
    for (const name of ['Arabic (ar)', 'Dark', '320 px']) {
      await page.getByRole('link', { name, exact: true }).click();
      await page.locator('.controls [aria-current]', { hasText: name }).waitFor();
    }
    const inMail = (script: string) => until(page, script, /templates\/course_begins\/preview/);
    await inMail("document.documentElement.dir === 'rtl'");
    await inMail("getComputedStyle(document.body).backgroundColor === 'rgb(16, 21, 18)'");
    await inMail('innerWidth === 318');
    await inMail("getComputedStyle(document.querySelector('h1')).fontSize === '20px'");
    await page.getByRole('link', { name: 'Plain text', exact: true }).click();
    await page.getByRole('region', { name: 'Plain text' }).getByText('تبدأ دورتك').waitFor();
    await page.getByRole('link', { name: 'Compare versions' }).click();
    await page.getByLabel('From').selectOption({ label: 'Version 1' });
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByRole('heading', { name: 'From version 1 to working copy' }).waitFor();
    await page.goto(`${origin}/console/${bench.workspaceId}/assets`);
    await page.getByRole('link', { name: 'Gallery' }).click();
    await until(page, `document.querySelector('img[alt="A loaf"]')?.naturalWidth === 64`);
    assert.equal(pageErrors, []);
  });
});

test.run();

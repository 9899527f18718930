// time-limit: 240
// The starters in a real browser: size, legibility and tap targets, in light, in dark and in Outlook.com.
// full-run: browser
import * as assert from 'uvu/assert';
import { MailBrowser, type MailColourScheme, type MailMeasures } from '../support/mail-browser.ts';
import { suiteInBrowser } from '../support/page-browser.ts';
import { exampleCases, hardCases, type StarterMail, sendStarters } from '../support/starter-mails.ts';

const test = suiteInBrowser('starters in a browser', {
  title: 'each starter becomes a mail',
  async run() {
    assert.is((await sendStarters(exampleCases)).length, exampleCases.length);
  },
});
const schemes: readonly MailColourScheme[] = ['light', 'dark', 'outlook'];

interface Measured extends MailMeasures {
  readonly mail: StarterMail;
  readonly look: MailColourScheme;
  /** The key and the name of the mail and its colours, for assertion messages */
  readonly where: string;
}

let browser: MailBrowser;
let mails: StarterMail[];
const narrow: Measured[] = [];
const wide: Measured[] = [];

test.before(async () => {
  mails = await sendStarters([...exampleCases, ...hardCases]);
  browser = await MailBrowser.open();
  for (const look of schemes) {
    for (const mail of mails) {
      const subject = { mail, look, where: `${mail.key}, ${mail.name}, ${look}` };
      narrow.push({ ...subject, ...(await browser.measure(mail.html, 320, look)) });
      wide.push({ ...subject, ...(await browser.measure(mail.html, 720, look)) });
    }
  }
});
test.after(() => browser.close());

test('the measurement finds each kind of error', async () => {
  const bad = `<body style="background:#fff;margin:0"><h2>Two</h2><div style="width:400px;color:#999">Pale</div>
    <img src="data:,"><p style="font-size:9px">Small</p><p><a href="#">Alone</a></p><p>In a <a href="#">line</a></p></body>`;
  const {
    scrollWidth,
    texts,
    targets,
    headings,
    imagesWithoutAlt: mute,
    language,
  } = await browser.measure(bad, 320, 'light');
  assert.is(scrollWidth, 400);
  const cut = `<body style="background:#fff"><div style="overflow:hidden;white-space:nowrap">${'wide '.repeat(30)}</div></body>`;
  const { edges } = await browser.measure(cut, 320, 'light');
  assert.equal([edges.left, edges.right > 400], [8, true]);
  const pale = texts.find(({ text }) => text === 'Pale');
  assert.is(pale?.contrast.toFixed(2), '2.85');
  assert.is(texts.find(({ text }) => text === 'Small')?.size, 9);
  assert.equal(
    targets.map(({ text, height }) => [text, height < 30]),
    [['Alone', true]],
  );
  assert.equal([headings, mute.length, language], [[2], 1, '']);
  const asking = '<body><img src="https://a.example/pixel.gif" alt="x"></body>';
  const error = await browser.measure(asking, 320, 'light').then(() => 'nothing was asked', String);
  assert.match(error, 'asks for https://a.example/pixel.gif');
});

test('no part is wider than 320 px, even with the longest words', () => {
  for (const { scrollWidth, edges, texts, where } of narrow) {
    assert.ok(texts.length > 4, where);
    assert.is(scrollWidth, 320, where);
    assert.ok(edges.left >= 24 && edges.right <= 297, `${where}: text from ${edges.left} to ${edges.right}`);
  }
});

test('every text has a contrast of at least 4.5, and no colour is pure black or pure white', () => {
  for (const { texts, where } of wide) {
    for (const { text, contrast, colour, background } of texts) {
      assert.ok(contrast >= 4.5, `${where}: ${contrast.toFixed(2)} for “${text}”, ${colour} on ${background}`);
      for (const each of [colour, background])
        assert.not.match(each, /\((?:0, 0, 0|255, 255, 255)\)/, `${where}: ${text}`);
    }
  }
});

test('dark mode and Outlook.com turn the page dark and the text light', () => {
  const brightness = (value: string) => (value.match(/\d+/g) ?? []).reduce((sum, part) => sum + Number(part), 0);
  for (const { look, texts, mail, where } of wide) {
    // On the dark band of the magic link, the text is light in every mode.
    const dark = texts.filter(({ background, colour }) => brightness(background) > brightness(colour));
    if (look === 'light') assert.ok(dark.length > texts.length / 2, where);
    // Exceptions: the label of the button and the ticks of the timeline stay dark on light.
    const words = dark.map(({ text }) => text).filter((text) => text !== '✓');
    if (look !== 'light') assert.ok(words.length <= 1, `${where}: ${words.join(' | ')}`);
    const light = wide.find((other) => other.mail === mail && other.look === 'light');
    assert.equal(
      texts.map(({ text }) => text),
      light?.texts.map(({ text }) => text),
      where,
    );
  }
});

test('running text has 16 px, and no text has less than 14 px', () => {
  for (const { texts, where } of narrow) {
    for (const { text, size } of texts) assert.ok(size >= 14, `${where}: ${size} px for “${text}”`);
    assert.ok(
      texts.some(({ size }) => size === 16),
      where,
    );
  }
});

test('buttons and standalone links are at least 44 px high', () => {
  for (const { targets, mail, where } of narrow) {
    const hasButton = Object.keys(mail.variables).some((name) => /^(?:tracking_)?url$/.test(name));
    assert.is(targets.length > 0, hasButton, where);
    for (const { text, height } of targets) assert.ok(height >= 44, `${where}: ${height} px for “${text}”`);
  }
});

test('there is one h1, no heading level is skipped, and the language is set', () => {
  for (const { headings, language, imagesWithoutAlt: mute, where } of wide) {
    assert.is(language, 'en', where);
    assert.equal(mute, [], where);
    assert.equal([headings[0], headings.filter((level) => level === 1).length], [1, 1], where);
    for (const [index, level] of headings.entries())
      assert.ok(level - (headings[index - 1] ?? 0) <= 1, `${where}: ${headings}`);
  }
});

test('a click on a code or a URL selects exactly that text', async () => {
  const selectedText = (html: string, text: string) =>
    browser.show(html, 320, 'light', async (page) => {
      await page.getByText(text, { exact: true }).last().click();
      return page.evaluate<string>('String(getSelection())');
    });
  for (const { key, variables, html } of mails) {
    if (key === 'login-code') assert.is(await selectedText(html, String(variables['code'])), variables['code']);
    if (key === 'magic-link') assert.is(await selectedText(html, String(variables['url'])), variables['url']);
  }
});

test('a code of any length stays on one line at 320 px', async () => {
  for (const { name, variables, html } of mails.filter(({ key }) => key === 'login-code')) {
    const code = String(variables['code']);
    const height = await browser.show(html, 320, 'light', async (page) => {
      const box = await page.getByText(code, { exact: true }).last().boundingBox();
      return box?.height ?? 0;
    });
    assert.ok(height > 20 && height < 80, `${name}: ${height} px`);
  }
});

test('a logo replaces the name, has it as alt text, and gets a light plate on dark backgrounds', async () => {
  const logo_url = 'https://logo.example/logo.png';
  const shortCases = exampleCases.filter(({ name }) => name === 'short');
  const cases = shortCases.map((each) => ({ ...each, variables: { ...each.variables, logo_url, product: 'Fjord' } }));
  const image = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
  for (const { key, html } of await sendStarters(cases)) {
    const withLogo = html.replaceAll(logo_url, `data:image/gif;base64,${image.toString('base64')}`);
    for (const look of schemes) {
      const style = await browser.show(withLogo, 320, look, (page) =>
        page.evaluate<{ alt: string; height: number; background: string }>(
          `(() => { const image = document.querySelector('img'); const { height, backgroundColor } = getComputedStyle(image);
            return { alt: image.alt, height: parseFloat(height), background: backgroundColor }; })()`,
        ),
      );
      assert.equal([style.alt, style.height], ['Fjord', 32], `${key}, ${look}`);
      const hasPlate = /^rgb\(2\d\d, 2\d\d, 2\d\d\)$/.test(style.background);
      assert.is(hasPlate, look !== 'light' || key === 'magic-link', `${key}, ${look}: ${style.background}`);
    }
  }
});

test.run();

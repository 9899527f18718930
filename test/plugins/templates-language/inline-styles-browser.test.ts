// Inlining against a real browser: a compiled mail looks exactly as its body does where nothing was inlined.
// full-run: browser
import * as assert from 'uvu/assert';
import { compileMail } from '../../../plugins/templates/language/compile.ts';
import { parseTemplate } from '../../../plugins/templates/language/liquid.ts';
import { openBrowser, suiteInBrowser } from '../../support/page-browser.ts';
import { styleForms } from '../../support/style-forms.ts';

const test = suiteInBrowser('templates: inlined styles in a browser', {
  title: 'there are forms to be looked at',
  run: async () => assert.ok(styleForms.length > 40),
});

/** Runs in the page. */
const looks = `(() => [...document.body.querySelectorAll('*:not(style)')].map((element) => {
  const computed = getComputedStyle(element);
  const names = ['color', 'backgroundColor', 'backgroundImage', 'fontFamily', 'margin', 'padding', 'textAlign', 'width'];
  return element.tagName + ' ' + names.map((name) => computed[name]).join(' | ');
}))()`;

test('looks as its author wrote it, whatever Liquid decides', async () => {
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    const look = async (html: string): Promise<unknown> => {
      await page.setContent(`<!doctype html><body>${html}</body>`);
      return page.evaluate(looks);
    };
    for (const [body, cases, kept] of styleForms) {
      const made = await compileMail({ mode: 'html', body, subject: 'x', previewText: '' });
      if (cases.length === 0) {
        assert.is(made.ok, false, body);
        continue;
      }
      if (!made.ok) throw new Error(`${body} ${JSON.stringify(made.faults)}`);
      for (const variables of cases) {
        const where = `${body} ${JSON.stringify(variables)}\n${made.mail.html}`;
        const written = await look(parseTemplate(body, 'html').render(variables));
        const mail = parseTemplate(made.mail.html, 'html').render(variables);
        assert.equal(await look(mail), written, where);
        // Clients that drop style elements see the same, unless sending decides what applies.
        const bare = mail.replace(/<style[\s\S]*?<\/style>/g, '');
        if (kept === undefined) assert.equal(await look(bare), written, `without its style element: ${where}`);
      }
    }
  } finally {
    await browser.close();
  }
});

test.run();

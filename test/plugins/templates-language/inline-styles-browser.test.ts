// Inlining in a real browser: a compiled mail looks exactly like the same body without inlining.
// full-run: browser
import * as assert from 'uvu/assert';
import { compileMail } from '../../../plugins/templates/language/compile.ts';
import { parseTemplate } from '../../../plugins/templates/language/liquid.ts';
import { openBrowser, suiteInBrowser } from '../../support/page-browser.ts';
import { styleForms } from '../../support/style-forms.ts';

const test = suiteInBrowser('templates: inlined styles in a browser', {
  title: 'the test has its style forms',
  run: async () => assert.ok(styleForms.length > 40),
});

/** Runs in the page. */
const computedStyles = `(() => [...document.body.querySelectorAll('*:not(style)')].map((element) => {
  const computed = getComputedStyle(element);
  const names = ['color', 'backgroundColor', 'backgroundImage', 'fontFamily', 'margin', 'padding', 'textAlign', 'width'];
  return element.tagName + ' ' + names.map((name) => computed[name]).join(' | ');
}))()`;

test('a mail with inlined styles looks like its body, for each branch of its Liquid', async () => {
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    const look = async (html: string): Promise<unknown> => {
      await page.setContent(`<!doctype html><body>${html}</body>`);
      return page.evaluate(computedStyles);
    };
    for (const [body, cases, kept] of styleForms) {
      const result = await compileMail({ mode: 'html', body, subject: 'x', previewText: '' });
      if (cases.length === 0) {
        assert.is(result.ok, false, body);
        continue;
      }
      if (!result.ok) throw new Error(`${body} ${JSON.stringify(result.faults)}`);
      for (const variables of cases) {
        const label = `${body} ${JSON.stringify(variables)}\n${result.mail.html}`;
        const expectedStyles = await look(parseTemplate(body, 'html').render(variables));
        const mail = parseTemplate(result.mail.html, 'html').render(variables);
        assert.equal(await look(mail), expectedStyles, label);
        // Clients that drop style elements show the same, except for rules that depend on Liquid.
        const bare = mail.replace(/<style[\s\S]*?<\/style>/g, '');
        if (kept === undefined) assert.equal(await look(bare), expectedStyles, `without its style element: ${label}`);
      }
    }
  } finally {
    await browser.close();
  }
});

test.run();

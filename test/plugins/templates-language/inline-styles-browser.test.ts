// Inlining in a real browser: a compiled mail looks exactly like the same body without inlining.
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
const computedStyles = `(() => [...document.body.querySelectorAll('*:not(style)')].map((element) => {
  const computed = getComputedStyle(element);
  const names = ['color', 'backgroundColor', 'backgroundImage', 'fontFamily', 'margin', 'padding', 'textAlign', 'width'];
  return element.tagName + ' ' + names.map((name) => computed[name]).join(' | ');
}))()`;

test('an inlined mail looks like its body, for each branch of its Liquid', async () => {
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    const look = async (html: string): Promise<unknown> => {
      await page.setContent(`<!doctype html><body>${html}</body>`);
      return page.evaluate(computedStyles);
    };
    for (const [body, cases, kept] of styleForms) {
      const compiled = await compileMail({ mode: 'html', body, subject: 'x', previewText: '' });
      if (cases.length === 0) {
        assert.is(compiled.ok, false, body);
        continue;
      }
      if (!compiled.ok) throw new Error(`${body} ${JSON.stringify(compiled.faults)}`);
      for (const variables of cases) {
        const label = `${body} ${JSON.stringify(variables)}\n${compiled.mail.html}`;
        const written = await look(parseTemplate(body, 'html').render(variables));
        const mail = parseTemplate(compiled.mail.html, 'html').render(variables);
        assert.equal(await look(mail), written, label);
        // Clients that drop style elements show the same, except for rules that depend on Liquid.
        const bare = mail.replace(/<style[\s\S]*?<\/style>/g, '');
        if (kept === undefined) assert.equal(await look(bare), written, `without its style element: ${label}`);
      }
    }
  } finally {
    await browser.close();
  }
});

test.run();

// Markdown that is rendered in a worker thread: links, pictures, structure, and pathological texts.
// full-run: slow
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sanitise from 'sanitize-html';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { TextNode } from '../../core/pages/markdown/node.ts';
import { joinParts, lengthOf, picturesIn } from '../../core/pages/markdown/parts.ts';
import { createTextReader } from '../../core/pages/markdown/text.ts';
import { pathologicalTexts } from '../support/pathological-markdown.ts';

const asset = 'asset_01ARZ3NDEKTSV4RRFFQ69G5FAV';
const readText = createTextReader();

async function render(source: string, top?: number) {
  const text = await readText('html', source, top);
  if ('fault' in text) throw new Error(text.fault);
  return {
    ...text,
    shown: joinParts(text.html, { pictureUrl: (id) => `https://media.example/${id}`, language: 'en' }),
  };
}

/** The addresses of all links, as an HTML parser finds them */
function linksIn(html: string): string[] {
  const addresses: string[] = [];
  sanitise(html, {
    allowedTags: false,
    allowedAttributes: false,
    allowVulnerableTags: true,
    transformTags: {
      a: (tagName, attribs) => {
        addresses.push(attribs['href'] ?? '');
        return { tagName, attribs };
      },
    },
  });
  return addresses;
}

test('links lead only to the web, to mail, to a telephone or into the site, even inside other links', async () => {
  const outer = (inner: string) => `[our ${inner} story](https://ok.test)`;
  const bad = [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'file:///etc/passwd',
    'ms-settings:',
    'data:text/html,x',
    'vbscript:x',
  ];
  const sources = [
    ...bad.flatMap((url) => [`[a](${url})`, `<${url}>`, `[a](<${url}>)`, `[a][b]\n\n[b]: ${url}`, outer(`<${url}>`)]),
    ...bad.flatMap((url) => [
      outer(`[a](${url})`),
      `![x](${url})`,
      `[![x](${url})](${url})`,
      `a[^1]\n\n[^1]: <${url}>`,
    ]),
    '[a](&#106;avascript:alert(1))',
    '[a](java\\\nscript:alert(1))',
    '[a](//evil.test) [b](/\\evil.test) [c](\\\\evil.test)',
    outer('https://inner.test'),
  ];
  for (const source of sources) {
    const { shown } = await render(source);
    for (const href of linksIn(shown))
      assert.match(href, /^(?:https?:\/\/|mailto:|#fn|\/(?!\/))/, `${source} → ${shown}`);
  }
  const { shown } = await render(outer('<javascript:alert(1)>'));
  assert.equal(linksIn(shown), ['https://ok.test']);
  assert.match(shown, 'our javascript:alert(1) story');
});

test('HTML in a text is escaped, and pictures come only from the workspace', async () => {
  const { shown, html, beginning } = await render(
    `Hi <b>&amp;</b> "you"\n\n![x & "y"](asset:${asset} "T & t")\n\n![gone](https://evil.test/x.png)`,
  );
  assert.equal(picturesIn(html), [asset]);
  assert.is(beginning, 'Hi <b>&</b> "you"');
  assert.match(shown, 'Hi &lt;b&gt;&amp;&lt;/b&gt; "you"');
  assert.match(shown, `<img src="https://media.example/${asset}" alt="x &amp; &quot;y&quot;"`);
  assert.match(shown, '<figcaption>T &amp; t</figcaption>');
  assert.not.match(shown, 'evil.test');
  assert.match(
    joinParts(html, { pictureUrl: () => undefined, language: 'en' }),
    '<figure>x &amp; &quot;y&quot;<figcaption>',
  );
});

test('headings have unique anchors in every script, and the level that the page requests', async () => {
  const source = '## Größe\n\n## Größe\n\n### 日本語の見出し\n\n## Größe 2';
  const { shown } = await render(source);
  for (const name of ['grosse', 'grosse-2', 'grosse-2-2']) assert.match(shown, `<h2 id="${name}">`);
  assert.match(shown, /<h3 id="日本語の見出し">/);
  assert.match((await render(source, 3)).shown, '<h3 id="grosse">');
  assert.match((await render(source, 4)).shown, '<h5 id="日本語の見出し">');
});

test('headings skip no level, whatever levels the text has', async () => {
  const levelsOf = async (source: string, top?: number) =>
    [...(await render(source, top)).shown.matchAll(/<h(\d)/g)].map(([, level]) => Number(level));
  assert.equal(await levelsOf('# A\n\n### B\n\n###### C\n\n### D\n\n## E\n\n# F'), [2, 3, 4, 3, 3, 2]);
  assert.equal(await levelsOf('### A\n\n## B\n\n#### C'), [2, 2, 3]);
  assert.equal(await levelsOf('> #### A\n\n- ###### B\n\n# C', 3), [3, 4, 3]);
  assert.equal(await levelsOf('# 1\n\n## 2\n\n### 3\n\n#### 4\n\n##### 5\n\n###### 6'), [2, 3, 4, 5, 6, 6]);
});

test('lists, tasks, tables, code and footnotes keep their structure', async () => {
  const { shown } = await render(
    '- [ ] a\n- [x] b\n\n3. c\n\n|a|b|\n|-|-:|\n|1|2|\n\n```js\n<b>\n```\n\nx[^1] y[^1]\n\n[^1]: Note **one**.\n\n~~old~~ www.acme.test',
  );
  for (const part of [
    '<li class="task">☐ a</li>',
    '<li class="task">☑ b</li>',
    '<ol start="3">',
    '<td align="right">2</td>',
    '<pre tabindex="0"><code class="language-js">&lt;b&gt;\n</code></pre>',
    '<li id="fn-1"><p>Note <strong>one</strong>.',
    '<del>old</del>',
    '<a href="http://www.acme.test" rel="noopener">www.acme.test</a>',
  ])
    assert.match(shown, part);
  assert.equal([...shown.matchAll(/id="([^"]+)"/g)].map(([, id]) => id).sort(), [
    ...['fn-1', 'fnref-1', 'fnref-1-2', 'footnote-label'],
  ]);
});

test('the labels of tables and footnotes are in the language of the page', async () => {
  const { html, words, beginning } = await render('|a|\n|-|\n|1|\n\nx[^1] y[^1]\n\n[^1]: z');
  const shownIn = (language: string) => joinParts(html, { pictureUrl: () => undefined, language });
  for (const [language, table, footnotes, back] of [
    ['en', 'Table', 'Footnotes', 'Back to reference 1-2'],
    ['de-AT', 'Tabelle', 'Fußnoten', 'Zurück zu Verweis 1-2'],
    ['ja', '表', '脚注', '参照箇所 1-2 に戻る'],
    ['ar', 'جدول', 'الحواشي', 'العودة إلى موضع الحاشية 1-2'],
    ['he', 'Table', 'Footnotes', 'Back to reference 1-2'],
  ] as const) {
    const shown = shownIn(language);
    assert.match(shown, `<div class="table" role="region" aria-label="${table}" tabindex="0">`);
    assert.match(shown, ` id="footnote-label" class="unseen">${footnotes}</h2>`);
    assert.match(shown, `<a href="#fnref-1-2" class="back" aria-label="${back}">↩</a>`);
  }
  assert.equal([beginning, words], ['x1 y1', 5], 'labels are not counted as words of the text');
});

test('site paths become absolute URLs if a base is given', async () => {
  const { html } = await render('[a](/p/x?a=1&b=2) [b](#part)');
  const visible = joinParts(html, { pictureUrl: () => undefined, base: 'https://acme.test/blog/one', language: 'en' });
  assert.equal(linksIn(visible), ['https://acme.test/p/x?a=1&b=2', 'https://acme.test/blog/one#part']);
});

test('word counts and excerpts work in scripts without spaces', async () => {
  const { beginning, words } = await render(
    `# 題\n\n${'これは日本語の文章で、単語の間に空白がありません。'.repeat(20)}`,
  );
  assert.ok(beginning.length > 150 && beginning.length <= 200, beginning);
  assert.ok(words > 200 && words < 400, String(words));
});

const countOf = (nodes: readonly TextNode[]): number =>
  nodes.reduce<number>((sum, node) => sum + 1 + (typeof node === 'string' ? 0 : countOf(node.children)), 0);

test('the output of a text is limited by its length, and no text crashes the thread', async () => {
  for (const length of [20_000, 100_000])
    for (const [name, source] of pathologicalTexts(length)) {
      const label = `${name}, ${length}`;
      const text = await readText('html', source);
      if ('fault' in text) assert.match(text.fault, /40 levels deep|more than [\d,]+ characters/, label);
      else assert.ok(lengthOf(text.html) <= 3 * (5_000 + 8 * length), `${label}: ${lengthOf(text.html)}`);
      const tree = await readText('tree', source);
      if (!('fault' in tree)) assert.ok(countOf(tree.nodes) <= 5_000 + 2 * length, `${label}: ${countOf(tree.nodes)}`);
    }
});

test('a text that takes too long or too much memory ends the thread, and the next text is read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-thread-'));
  try {
    const file = join(folder, 'program.cjs');
    // The program responds to every text except two.
    writeFileSync(
      file,
      `const { parentPort } = require('node:worker_threads');
parentPort.on('message', ({ source }) => {
  if (source === 'endless') for (;;);
  if (source === 'vast') { const all = []; for (;;) all.push(new Array(1e5).fill(source + all.length)); }
  parentPort.postMessage({ result: {} });
});
parentPort.postMessage({ ready: true });`,
    );
    const limitedReader = createTextReader({ file, seconds: 0.5 });
    const patient = createTextReader({ file, seconds: 120 });
    const results = await Promise.all([
      limitedReader('check', 'endless'),
      limitedReader('check', 'fine'),
      limitedReader('check', 'endless'),
    ]);
    assert.equal(
      results.map((answer) => 'fault' in answer),
      [true, false, true],
    );
    assert.equal(
      [await patient('check', 'vast'), await patient('check', 'fine')].map((answer) => 'fault' in answer),
      [true, false],
    );
    const missing = createTextReader({ file: join(folder, 'none.cjs') });
    const refused = await missing('check', 'x').catch((error: unknown) => error);
    assert.match((refused as Error).message, 'markdown-worker.js');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.run();

// Cleaning imported HTML: the parts that are kept and the parts that are removed.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sanitiseHtml } from '../../plugins/pages/import/sanitise.ts';

const cleaning = suite('cleaning imported HTML');

cleaning('text, structure, links and pictures are kept', async () => {
  const source = `<!doctype html><html lang="en-gb"><head><title>Bakery &amp; Co</title><meta name="Description" content="Bread.">
    <style>p { color: red }</style></head><body><h1 id="top">About <em>us</em></h1><p>Six &lt;evenings&gt;.</p>
    <ul><li><a href="/contact">Write</a></li><li><a href="https://bakery.example/?a=1&amp;b=2">Site</a></li></ul>
    <img src="https://cdn.bakery.example/bread.jpg" alt="Bread" width="400">
    <table><tr><th scope="row">Rye</th><td>4</td></tr></table></body></html>`;
  const { title, description, language, html } = await sanitiseHtml(source);
  assert.equal([title, description, language], ['About us', 'Bread.', 'en-GB']);
  for (const part of [
    '<h1 id="top">About <em>us</em></h1>',
    '<p>Six &lt;evenings&gt;.</p>',
    '<a href="/contact">Write</a>',
    '<a href="https://bakery.example/?a=1&amp;b=2">Site</a>',
    'src="https://cdn.bakery.example/bread.jpg"',
    '<th scope="row">Rye</th>',
  ])
    assert.ok(html.includes(part), `${part} in ${html}`);
  assert.not.match(html, /color|<title|<meta/);
});

cleaning('scripts, handlers, frames, forms and styles are removed', async () => {
  const attacks = [
    '<script>alert(1)</script>',
    '<scr<script>ipt>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<img src="javascript:alert(1)">',
    '<img src="data:image/svg+xml,<svg onload=alert(1)>">',
    '<img src="http://plain.example/a.png">',
    '<svg><script>alert(1)</script></svg>',
    '<svg onload="alert(1)"><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
    '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></table></mtext></math>',
    '<iframe src="https://evil.example"></iframe>',
    '<object data="evil.swf"></object><embed src="evil.swf">',
    '<a href="javascript:alert(1)">x</a>',
    '<a href="jAvAsCrIpT&#58;alert(1)">x</a>',
    '<a href="java\tscript:alert(1)">x</a>',
    '<a href="//evil.example">x</a>',
    '<a href="data:text/html,<script>alert(1)</script>">x</a>',
    '<p style="background:url(https://evil.example)">x</p>',
    '<style>@import "https://evil.example";</style>',
    '<link rel="stylesheet" href="https://evil.example/a.css">',
    '<meta http-equiv="refresh" content="0;url=https://evil.example">',
    '<base href="https://evil.example/">',
    '<form action="https://evil.example"><input name="a"><button formaction="javascript:alert(1)">x</button></form>',
    '<p onclick="alert(1)" onmouseover=alert(1)>x</p>',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
    '<template><script>alert(1)</script></template>',
    '<!-- <script>alert(1)</script> --><![CDATA[<script>alert(1)</script>]]>',
    '<details ontoggle=alert(1) open>x</details>',
  ];
  for (const attack of attacks) {
    const { html } = await sanitiseHtml(`<p>before</p>${attack}<p>after</p>`);
    assert.ok(html.startsWith('<p>before</p>'), html);
    const tags = html.match(/<[^>]*>/g) ?? [];
    for (const tag of tags) {
      assert.not.match(
        tag,
        /^<\/?(?:script|svg|math|iframe|object|embed|style|link|meta|base|form|input|button|template)/i,
        attack,
      );
      assert.not.match(tag, /\son\w+\s*=|javascript:|data:|style=|evil\.example|http:/i, `${attack} became ${html}`);
    }
  }
});

cleaning('a link to a part of the page is kept if the part is kept', async () => {
  const { html } = await sanitiseHtml(
    '<a href="#prices">Prices</a><a href="#signup">Sign up</a><a href="#top">Up</a><form id="signup"></form><h2 id="prices">Prices</h2>',
  );
  assert.is(html, '<a href="#prices">Prices</a><a>Sign up</a><a href="#top">Up</a><h2 id="prices">Prices</h2>');
});

cleaning('the title is the heading, or else the title in the head; without both, the page has no title', async () => {
  assert.is((await sanitiseHtml('<title>Bakery &amp; Co</title><p>x</p>')).title, 'Bakery & Co');
  assert.is((await sanitiseHtml('<p>x</p>')).title, undefined);
});

cleaning.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseTemplate } from '../../../plugins/templates/language/liquid.ts';
import { findMarkupFault } from '../../../plugins/templates/language/markup-rules.ts';
import { isUnsafeUrl } from '../../../plugins/templates/language/safe-url.ts';
import { faultOf } from './faults.ts';

const test = suite('templates: Liquid in markup');
const render = (source: string, variables = {}) => parseTemplate(source, 'html').render(variables);
const refusal = (source: string, variables = {}) => faultOf(() => render(source, variables)).code;

const CODE_URLS = [
  ...['javascript:alert(1)', 'JaVaScRiPt:alert(1)', '  javascript:alert(1)', 'java\nscript:alert(1)', 'java\tscript:x'],
  ...[
    '\u0000javascript:x',
    '\u0001javascript:x',
    'data:text/html,<script>',
    'DATA:text/html;base64,x',
    'vbscript:msgbox',
  ],
  ...[
    'file:///etc/passwd',
    'blob:https://x',
    'view-source:x',
    'java\u200bscript:x',
    '\ufeffjavascript:x',
    '\u00a0javascript:x',
  ],
];
const PLAIN_URLS = [
  ...[
    'https://example.com/a?b=c:d',
    'http://x',
    'mailto:a@b.c',
    'tel:+1',
    'sms:1',
    'myapp://open',
    'cid:logo',
    '/path',
  ],
  ...['#top', '?q=javascript:1', 'page.html', '', 'javascript', 'a/javascript:x', 'datasheet', 'https://x/data:1'],
];

test('a URL that runs code is refused in an attribute, in any spelling, if it comes from a variable', () => {
  for (const url of CODE_URLS) {
    assert.is(isUnsafeUrl(url), true, JSON.stringify(url));
    for (const attribute of ['href', 'src', 'action', 'background', 'poster', 'xlink:href']) {
      assert.is(refusal(`<a ${attribute}="{{ u }}">`, { u: url }), 'url_unsafe', `${attribute} ${JSON.stringify(url)}`);
      assert.is(refusal(`<a ${attribute}=' {{ u }}'>`, { u: url }), 'url_unsafe');
    }
  }
});

test('other URLs are allowed', () => {
  for (const url of PLAIN_URLS) {
    assert.is(isUnsafeUrl(url), false, url);
    assert.match(render('<a href="{{ u }}">x</a>', { u: url }), /^<a href="/);
  }
});

test('a URL that is composed of several parts is judged as a whole', () => {
  assert.is(refusal('<a href="{{ a }}{{ b }}">', { a: 'java', b: 'script:x' }), 'url_unsafe');
  assert.is(refusal('<a href="{{ a }}:{{ b }}">', { a: 'javascript', b: 'x' }), 'url_unsafe');
  assert.is(refusal('<a href="java{{ a }}">', { a: 'script:x' }), 'url_unsafe');
  assert.is(refusal('<a href="{% if a %}java{% endif %}script:x">', { a: 1 }), 'url_unsafe');
  assert.is(refusal('<a href="{% for c in a %}{{ c }}{% endfor %}">', { a: ['data', ':x'] }), 'url_unsafe');
  assert.is(refusal('<a href="java&#115;cript&colon;{{ a }}">', { a: 'x' }), 'url_unsafe');
  assert.is(
    refusal('{% for u in a %}<a href="{{ u }}">{% endfor %}', { a: ['https://x', 'javascript:x'] }),
    'url_unsafe',
  );
  assert.is(refusal('<img srcset="{{ a }} 1x, {{ b }} 2x">', { a: 'https://x', b: 'javascript:x' }), 'url_unsafe');
  assert.is(refusal('<!--[if mso]><a href="{{ a }}"></a><![endif]-->', { a: 'javascript:x' }), 'url_unsafe');
});

test('an entity in a variable is not decoded', () => {
  assert.is(render('<a href="{{ u }}">', { u: 'javascript&colon;x' }), '<a href="javascript&amp;colon;x">');
});

test('after a literal scheme, the rest of a URL may have any value', () => {
  assert.is(render('<a href="https://x/?to={{ a }}">', { a: 'javascript:x' }), '<a href="https://x/?to=javascript:x">');
});

test('Liquid is refused in tag names, attribute names, unquoted values and event handlers', () => {
  const positions = [
    ...[
      '<a {{ a }}>',
      '<a href={{ a }}>',
      '<{{ a }}>',
      '<a{{ a }}>',
      '</{{ a }}>',
      '<a on{{ a }}="x">',
      '<a x{{ a }}="y">',
    ],
    ...[
      '<p onclick="{{ a }}">',
      '<iframe srcdoc="{{ a }}">',
      '<a {% if a %}b{% endif %}>',
      '<a x=1{% if a %}{% endif %}>',
    ],
    ...['<style></sty{% if a %}{% endif %}le>', '<!-- x -{{ a }}->', '<!{{ a }}>'],
  ];
  for (const source of positions) {
    const code = refusal(source, { a: 'x' });
    assert.ok(['liquid_position', 'markup_unsafe'].includes(code), `${source}: ${code}`);
  }
});

test('an element is recognised even if Liquid divides it', () => {
  for (const source of ['<scr{% comment %}{% endcomment %}ipt>', '{% raw %}<scr{% endraw %}ipt>', '<scr{%# x %}ipt>']) {
    assert.ok(['markup_unsafe', 'liquid_position'].includes(refusal(source)), source);
  }
  assert.is(refusal('{{ a | raw }}ipt>', { a: '<scr' }), 'markup_unsafe');
});

test('a block must end in the part of the markup in which it began', () => {
  for (const source of [
    ...[
      '{% if a %}<a href="{% endif %}x">',
      '<a href="{% if a %}">{% endif %}',
      '{% for i in a %}<!-- {% endfor %}-->',
    ],
    ...[
      '{% if a %}<style>{% endif %}</style>',
      '<p title="{% if a %}x" lang="{% endif %}y">',
      '<p',
      '<style>',
      '<a href="x',
    ],
  ]) {
    assert.ok(['block_position', 'liquid_position'].includes(refusal(source, { a: [1] })), source);
  }
  assert.is(render('{% if a %}<b>{% endif %}x{% if a %}</b>{% endif %}', { a: 1 }), '<b>x</b>');
  assert.is(render('<p class="a{% if a %} b{% else %} c{% endif %}">', { a: 1 }), '<p class="a b">');
});

test('raw output follows the same rules', () => {
  for (const value of [
    ...[
      '<script>x</script>',
      '<img src=x onerror=y>',
      '<a href="javascript:x">',
      '<iframe>',
      '<svg onload=x>',
      '<a href="',
      '<!--',
    ],
    ...[
      '<style>',
      '<form>',
      '<meta http-equiv="refresh" content="0">',
      '<base href="x">',
      '<a href="java&#115;cript:x">',
    ],
  ]) {
    assert.ok(findMarkupFault(value), value);
    assert.ok(['markup_unsafe', 'url_unsafe'].includes(refusal('{{ a | raw }}', { a: value })), value);
  }
  const harmless = '<p style="color:red">1 < 2 &amp; <a href="https://x">y</a></p>';
  assert.is(render('{{ a | raw }}', { a: harmless }), harmless);
  assert.is(refusal('<p title="{{ a | raw }}">', { a: 'x' }), 'liquid_position');
});

test('in a style, a variable can only be a value', () => {
  assert.is(render('<p style="color:{{ a }}">', { a: "'x'" }), '<p style="color:&#39;x&#39;">');
  assert.is(render('<style>p{font:{{ a }}}</style>', { a: '"Arial", serif' }), '<style>p{font:"Arial", serif}</style>');
  for (const value of ['red;x:y', 'red}p{', '</style>', 'url(https://x)', 'expression(1)', '/*', '\\', '@import x']) {
    assert.is(refusal('<p style="color:{{ a }}">', { a: value }), 'css_unsafe', value);
    assert.is(refusal('<style>p{color:{{ a }}}</style>', { a: value }), 'css_unsafe', value);
  }
});

test('comments and conditional comments are parsed', () => {
  assert.is(render('<!-- {{ a }} -->', { a: '-->' }), '<!-- --&gt; -->');
  assert.is(render('<!--{% if a %}-->x<!--{% endif %}-->', { a: 1 }), '<!---->x<!---->');
  const outlook = '<!--[if mso | IE]><td width="{{ a }}"><![endif]--><!--[if !mso]><!--><p>{{ a }}</p><!--<![endif]-->';
  assert.match(render(outlook, { a: 5 }), 'width="5"');
  assert.is(refusal('<!--[if mso]><a title="--><script>x</script>"><![endif]-->'), 'markup_unsafe');
  assert.is(refusal('<!--[if mso]><style>--><script>x</script></style><![endif]-->'), 'markup_unsafe');
});

test('markup that browsers would parse differently is refused', () => {
  for (const source of [
    "<!--[if mso]><div title='--!>'><select></div>",
    '<noscript><style></noscript><svg></style></noscript>',
    '<!--[if !mso]><!--><noscript><style></noscript><svg>',
    '<!--[if mso]><![endif]><a title="--><script>x</script>"><![endif]-->',
    '<mj-style><xmp></mj-style>',
    '</p title="><a href="><script>x</script>">',
    '</style a="> <a title=" ><script>x</script>">',
  ]) {
    assert.is(refusal(source), 'markup_unsafe', source);
  }
  assert.match(render('<!--[if mso]>\n<noscript><xml></xml></noscript><![endif]-->x'), 'x');
});

test.run();

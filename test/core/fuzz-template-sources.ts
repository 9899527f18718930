// Template sources and variables for fuzzing: random combinations of pieces of Liquid, MJML and HTML. Used by
// fuzz-templates.test.ts.
import fc from 'fast-check';
import { contracts } from './fuzz-contract-sources.ts';
import { hostileText, hostileValue } from './fuzz-values.ts';

const liquid = fc.constantFrom(
  ...[
    '{{ name }}',
    '{{name | raw}}',
    '{{ a.b }}',
    '{{ a.b.c.d }}',
    '{{ items[0] }}',
    '{{ items.first.x }}',
    '{{ name.size }}',
  ],
  ...["{{ 'x' | replace: 'x', name }}", '{{ name | split: "" | join: name }}', '{{ items | map: "constructor" }}'],
  ...['{% if name %}', '{% elsif a %}', '{% else %}', '{% endif %}', '{% unless a == nil %}', '{% endunless %}'],
  ...['{% for i in items %}', '{% for i in (1..99999999) %}', '{% for i in a reversed limit:2 %}', '{% endfor %}'],
  ...[
    '{{ i }}',
    '{{ forloop.index }}',
    '{% break %}',
    '{% continue %}',
    '{% cycle "a", name %}',
    '{% cycle name: "a" %}',
  ],
  ...[
    '{% assign x = name | append: name %}',
    '{{ x }}',
    '{% assign x = x | append: x %}',
    '{% capture y %}',
    '{% endcapture %}',
  ],
  ...[
    '{% case name %}',
    '{% when "a" %}',
    '{% endcase %}',
    '{% raw %}',
    '{% endraw %}',
    '{% comment %}',
    '{% endcomment %}',
  ],
  ...[
    '{{ "now" | date: "%Y%s%%%Q" }}',
    '{{ name | date: name }}',
    '{{ name | times: 1e308 | plus: name }}',
    '{{ 1 | divided_by: 0 }}',
  ],
  ...[
    '{% include "x" %}',
    '{% render "x" %}',
    '{% layout "x" %}',
    '{% block x %}',
    '{{ name | nothing }}',
    '{% nothing %}',
    '{% liquid',
  ],
  ...[
    '{{ constructor }}',
    '{{ name.__proto__ }}',
    '{{ name.constructor.constructor }}',
    '{{ a["__proto__"] }}',
    '{{ this }}',
    '{{ [name] }}',
  ],
  ...[
    '{{ name',
    '}}',
    '{%',
    '%}',
    '{{-',
    '-%}',
    '{{ "',
    '{{ name | slice: -1, 99999999999 }}',
    '{{ (1..99999999) | join }}',
    '{{ "%" | url_decode }}',
  ],
);

const markup = fc.constantFrom(
  ...[
    '<p>',
    '</p>',
    '<a href="',
    '">',
    '<a href="{{ name }}">',
    '</a>',
    '<div style="',
    '<div style="color:{{ name }}">',
    '</div>',
  ],
  ...[
    '<style>',
    '</style>',
    'a{b:url(x)}',
    '@import "x";',
    '@media(x){',
    '}',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '<!--[if mso]>',
  ],
  ...[
    '<![endif]-->',
    '<script>',
    '</script>',
    '<img src=x onerror=alert(1)>',
    '<img src="{{ name }}" srcset="{{ a }}">',
    '<svg/onload=a>',
  ],
  ...[
    '<table><tr><td>',
    '</td></tr></table>',
    '<br/>',
    '<',
    '>',
    '&',
    '&#106;avascript:',
    '<title>',
    '</title>',
    "<a b='",
    '<a {{ name }}>',
  ],
  ...[
    '<mj-text>',
    '</mj-text>',
    '<mj-raw>',
    '</mj-raw>',
    '<mj-include path="/etc/passwd"/>',
    '<mj-button href="{{ name }}">',
    '</mj-button>',
  ],
  ...[
    '<mj-section>',
    '</mj-section>',
    '<mj-column>',
    '</mj-column>',
    '<mj-image src="{{ a.b }}" width="{{ name }}"/>',
    '<mj-style>',
    '</mj-style>',
  ],
  ...[
    '<mj-attributes>',
    '<mj-all padding="x"/>',
    '</mj-attributes>',
    '<mj-head>',
    '</mj-head>',
    '<mj-body>',
    '</mj-body>',
    '<mjml>',
    '</mjml>',
  ],
  ...[
    '<!DOCTYPE x [<!ENTITY a "b">]>&a;',
    '<?php ?>',
    '<mj-table>',
    '<mj-selector path="*">',
    '<mj-html-attributes>',
    '\n',
    ' ',
    'Hello',
  ],
);

const soup = (maxLength: number): fc.Arbitrary<string> =>
  fc
    .array(
      fc.oneof(
        { arbitrary: liquid, weight: 5 },
        { arbitrary: markup, weight: 5 },
        { arbitrary: hostileText, weight: 1 },
      ),
      { maxLength },
    )
    .map((parts) => parts.join(''));

const inMjml = (inner: string): string =>
  `<mjml><mj-body><mj-section><mj-column><mj-text>${inner}</mj-text></mj-column></mj-section></mj-body></mjml>`;

/** Correctly closed blocks, so that many of the sources can be compiled */
const closedBlocks: fc.Arbitrary<string> = fc
  .array(
    fc.constantFrom(
      ...[
        'Hello {{ name }}. ',
        '{% if name %}{{ name | upcase }}{% else %}-{% endif %}',
        '{% for i in items %}<b>{{ i }}</b>{% endfor %}',
      ],
      ...[
        '<a href="{{ name }}">x</a>',
        '<p style="color:{{ name }}">x</p>',
        '{% assign x = name %}{{ x | append: x }}',
        '{{ a.b | default: "n" }}',
      ],
      ...[
        '<img src="https://x.example/{{ name }}.png" alt="{{ name }}">',
        '{% capture y %}{{ name }}{% endcapture %}{{ y | size }}',
        '{{ name | raw }}',
      ],
      ...[
        '{% for i in (1..9999) %}{{ name }}{% endfor %}',
        '{% case name %}{% when "a" %}A{% else %}B{% endcase %}',
        '{{ name | date: "%Y" }}',
      ],
    ),
    { maxLength: 5 },
  )
  .map((parts) => parts.join(''));

const sources = fc.oneof(
  { arbitrary: closedBlocks.map(inMjml), weight: 4 },
  { arbitrary: closedBlocks, weight: 4 },
  { arbitrary: soup(8).map(inMjml), weight: 4 },
  { arbitrary: soup(14), weight: 4 },
  { arbitrary: soup(4).map((text) => inMjml(text.repeat(200))), weight: 1 },
);

/** A template as an author might send it. */
export const templateBodies = fc.record({
  mode: fc.constantFrom('mjml', 'html'),
  subject: fc.oneof(fc.constantFrom('Hello {{ name }}', 'Hi', '{{ a.b }}'), soup(4)),
  previewText: fc.oneof({ arbitrary: fc.constantFrom('', '{{ name }}'), weight: 4 }, { arbitrary: soup(3), weight: 1 }),
  body: sources,
  text: fc.oneof({ arbitrary: fc.constant<string | null>(null), weight: 4 }, { arbitrary: soup(5), weight: 1 }),
  variables: contracts,
});

const texts = fc.oneof(
  {
    arbitrary: fc.constantFrom('Ada', 'javascript:alert(1)', 'red;}</style><script>', 'https://x.example/'),
    weight: 3,
  },
  { arbitrary: hostileText, weight: 1 },
);

/** Variables in the form that most templates accept, or any value */
export const variableValues: fc.Arbitrary<unknown> = fc.oneof(
  { arbitrary: texts.map((name) => ({ name })), weight: 4 },
  {
    arbitrary: fc
      .tuple(texts, fc.array(texts, { maxLength: 3 }), texts)
      .map(([name, items, b]) => ({ name, items, a: { b } })),
    weight: 4,
  },
  { arbitrary: fc.record({ name: hostileValue, items: hostileValue, a: hostileValue }), weight: 2 },
  { arbitrary: hostileValue, weight: 1 },
);

// Ways in which authors mix CSS and Liquid, each with variables for both branches. For the tests of CSS inlining.

/** A body with its variables. `kept`: the style element remains, because Liquid decides which rules apply. */
export type StyleForm = readonly [body: string, variables: readonly Readonly<Record<string, unknown>>[], kept?: 'kept'];

const onOff = [{ on: true }, { on: false }];
const blue = '<style>p { color: blue }</style>';

export const styleForms: readonly StyleForm[] = [
  // Style attributes
  ['<p style="{% if on %}color:red;{% endif %}">x</p>', onOff],
  [`${blue}<p style="{% if on %}color:red;{% endif %}">x</p>`, onOff],
  [`${blue}<p style="{% if on %}color:red{% else %}margin:3px{% endif %}">x</p>`, onOff],
  [`${blue}<p style="margin:1px;{% unless on %}color:red;{% endunless %}padding:2px">x</p>`, onOff],
  [`${blue}<p style="{{ all }}">x</p>`, [{ all: 'color:red;margin:4px' }, { all: 'color:red' }, { all: '' }]],
  [`${blue}<p style="{{ all }};color:green">x</p>`, [{ all: 'color:red;margin:4px' }, { all: '' }]],
  [`${blue}<p style="color:red;{{ extra }}">x</p>`, [{ extra: 'margin:4px;' }, { extra: '' }]],
  [`${blue}<p style="color:{{ c }};margin:{{ m }}px">x</p>`, [{ c: '#123456', m: 3 }]],
  [`${blue}<p style="{{ name }}:{{ value }}">x</p>`, [{ name: 'color', value: 'red' }]],
  [`${blue}<p style="foo">x</p>`, [{}]],
  [`${blue}<p style="foo; color:red; :x; margin">x</p>`, [{}]],
  [`${blue}<p style="">x</p><p style=" ">x</p><p style=";">x</p>`, [{}]],
  [`${blue}<p style=color:red>x</p>`, [{}]],
  [`${blue}<p style='font-family:"Courier New"; {{ x }}'>x</p>`, [{ x: 'color:red' }]],
  [`${blue}<p style="font-family:&quot;Courier New&quot;;color:red">x</p>`, [{}]],
  [`${blue}<p style="color:red /* {{ x }} */; margin:1px">x</p>`, [{ x: 'note' }]],
  [`${blue}<p style="{% for d in ds %}{{ d }};{% endfor %}">x</p>`, [{ ds: ['color:red', 'margin:2px'] }, { ds: [] }]],
  [
    `${blue}<p style="{% case k %}{% when 'a' %}color:red{% else %}color:green{% endcase %}">x</p>`,
    [{ k: 'a' }, { k: 'b' }],
  ],
  [`${blue}<p style="COLOR: RED; Margin: {{ m }}">x</p>`, [{ m: '4px' }]],
  // Precedence
  ['<style>p { color: blue !important }</style><p style="color:red;{{ x }}">x</p>', [{ x: 'margin:1px' }]],
  ['<style>p { color: blue ! IMPORTANT; margin: 2px }</style><p style="color:red">x</p>', [{}]],
  ['<style>p { color: blue!important }</style><p style="{% if on %}color:red!important{% endif %}">x</p>', onOff],
  [
    '<style>#i { color: red } p.a { color: green } p { color: blue; margin: 1px }</style><p id="i" class="a">x</p>',
    [{}],
  ],
  [
    '<style>p { margin: 1px } p { margin-left: {{ m }} } p { padding: 2px 3px; padding-left: 9px }</style><p>x</p>',
    [{ m: '7px' }],
  ],
  [
    '<style>p { margin-left: 9px } .a { margin: {{ m }}px }</style><p class="a" style="margin-top:5px">x</p>',
    [{ m: 7 }],
  ],
  ['<style>p { background: #eee; background-color: {{ c }} }</style><p>x</p>', [{ c: '#123456' }]],
  // Liquid in the style sheet
  ['<style>p { color: blue } {% if on %}p { color: red; margin: 2px }{% endif %}</style><p>x</p>', onOff],
  [
    '<style>{% if on %}p { color: red }{% else %}p { color: green } q { color: red }{% endif %}</style><p>x</p><q>y</q>',
    onOff,
  ],
  [
    '<style>{% if on %}p { color: red !important; margin: 2px }{% endif %} p { color: blue }</style><p style="color:green">x</p>',
    onOff,
  ],
  ['<style>p { color: blue; {% if on %}color: red; margin: 2px;{% endif %} }</style><p>x</p>', onOff],
  ['<style>p { color: {% if on %}red{% else %}green{% endif %} }</style><p>x</p>', onOff],
  ['<style>p { {{ all }} }</style><p>x</p>', [{ all: 'color:red;margin:2px' }, { all: '' }]],
  ['{% if on %}<style>p { color: red }</style>{% endif %}<p>x</p>', onOff],
  [
    '<style>{% if on %}{% unless off %}p { color: red }{% endunless %}{% endif %}</style><p>x</p>',
    [
      { on: true, off: true },
      { on: true, off: false },
      { on: false, off: false },
    ],
  ],
  ['<style>{% for c in cs %}p { color: {{ c }} }{% endfor %}</style><p>x</p>', [{ cs: ['red', 'green'] }, { cs: [] }]],
  [
    '<style>{% for c in cs %}.c-{{ c }} { color: {{ c }} }{% endfor %} p { color: blue }</style><p class="c-red">x</p>',
    [{ cs: ['red', 'green'] }, { cs: [] }],
    'kept',
  ],
  ['<style>p { color: blue } .{{ k }} { color: red }</style><p class="a">x</p>', [{ k: 'a' }, { k: 'b' }], 'kept'],
  ['{% if on %}<style>p { color: red }{% endif %}</style><p>x</p>', []],
  [
    '<style>p { color: blue } {% if on %}p { {% else %}q { {% endif %} color: red }</style><p>x</p><q>y</q>',
    onOff,
    'kept',
  ],
  ['{% assign c = brand | downcase %}<style>p { color: {{ c }} }</style><p>x</p>', [{ brand: 'RED' }]],
  [
    '<style>.b { color: {{ item.c }} }</style>{% for item in items %}<p class="b">x</p>{% endfor %}',
    [{ items: [{ c: 'red' }], item: { c: 'green' } }],
    'kept',
  ],
  [
    '<style>p { color: {{ c }} }</style>{% assign c = "green" %}<p>x</p>{% assign c = "red" %}<p>y</p>',
    [{ c: 'blue' }],
    'kept',
  ],
  // Selectors that can be resolved only at sending
  [
    '<style>p { color: blue } .hot { color: red }</style><p class="{% if on %}hot{% endif %}">x</p><p>y</p>',
    onOff,
    'kept',
  ],
  [
    '<style>.a p { color: blue } .hot p { color: red }</style><div class="a {{ k }}" style="margin:3px"><p style="margin:1px">x</p></div>',
    [{ k: 'hot' }, { k: 'b' }],
    'kept',
  ],
  [
    '<style>p { color: blue } .hot + p { color: red }</style><div><p class="{{ k }}">x</p><p>y</p></div>',
    [{ k: 'hot' }, { k: 'b' }],
    'kept',
  ],
  [
    '<style>td { color: blue } td[align=right] { color: red }</style><table><tr><td align="{{ a }}">x</td></tr></table>',
    [{ a: 'right' }, { a: 'left' }],
    'kept',
  ],
  [
    '<style>tr { color: blue } tr:nth-child(odd) { color: red }</style><table>{% for i in is %}<tr><td>{{ i }}</td></tr>{% endfor %}</table>',
    [{ is: [1, 2, 3] }],
    'kept',
  ],
  [
    '<style>p { color: blue } p:first-child { color: red }</style><div>{% if on %}<p>x</p>{% endif %}<p>y</p></div>',
    onOff,
    'kept',
  ],
  [
    '<style>p { color: blue } h2 + p { color: red }</style><div>{% if on %}<h2>x</h2>{% endif %}<p>y</p></div>',
    onOff,
    'kept',
  ],
  ['<style>tr:nth-child(odd) td { color: red }</style><table><tr><td>x</td></tr><tr><td>y</td></tr></table>', [{}]],
  // Rules that stay in the style element for all recipients
  ['<style>p { color: blue } @media (min-width: 1px) { p { color: red !important } }</style><p>x</p>', [{}], 'kept'],
  ['<style>@media print { p { color: red } }</style><style media="print">p { color: red }</style><p>x</p>', [{}]],
  [
    '<style>@font-face { font-family: Own; src: local("{{ f }}") } p { font-family: Own, serif }</style><p>x</p>',
    [{ f: 'Arial' }],
  ],
  [
    '<style>a { color: blue } a:hover { color: red } p::before { content: "{{ s }}" }</style><a href="#">x</a><p>y</p>',
    [{ s: '*' }],
    'kept',
  ],
  [
    '<style>{% if on %}@media all { p { color: red } }{% endif %} q { color: blue }</style><p>x</p><q>y</q>',
    onOff,
    'kept',
  ],
  ['<!--[if mso]><style>p { color: red }</style><p style="{{ x }}">o</p><![endif]--><p>x</p>', [{ x: 'color:red' }]],
  [`<!--[if !mso]><!-->${blue}<p style="margin:{{ m }}">x</p><!--<![endif]-->`, [{ m: '3px' }]],
  ['<style data-embed>p { color: red }</style><p>x</p>', [{}], 'kept'],
  // Broken CSS
  ['<style>p { color: red; foo; :x; margin } q { color: red</style><p>x</p><q>y</q>', [{}]],
  ['<style>} p { color: blue } ; q { color: red } r</style><p>x</p><q>y</q>', [{}]],
  ['<style>p { color: blue } b { c { d: e } } q { color: red }</style><p>x</p><q>y</q>', [{}]],
  ['<style>p { color: blue } /* {{ x }} q { color: red }</style><p>x</p><q>y</q>', [{ x: 'note' }]],
  ['<style><!-- p { color: {{ c }} } --></style><p>x</p>', [{ c: 'red' }]],
  ['<style>p { font-family: "A", \'Courier New\'; background: url(x?a=1&copy=2) }</style><p>x</p>', [{}]],
  ['<style>p { color: blue } p { & b { color: red } margin: 2px }</style><p>x<b>y</b></p>', [{}], 'kept'],
  [
    '<style>.İ { color: red } .日本 { margin: 3px } .👩‍👩‍👧 { padding: 2px }</style><p class="İ 日本 👩‍👩‍👧">x</p>',
    [{}],
  ],
];

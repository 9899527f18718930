// The parts of the reference page that turn schemas and values into words and code.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { html } from '../../core/pages/html.ts';
import type { OpenapiDocument, Schema } from '../../plugins/reference/document.ts';
import { literal } from '../../plugins/reference/literal.ts';
import { titleOf } from '../../plugins/reference/operations.ts';
import { inline, paragraphs } from '../../plugins/reference/prose.ts';
import { sampleOf } from '../../plugins/reference/sample.ts';
import { schemaView } from '../../plugins/reference/schema-fields.ts';
import { limitsOf, typeName } from '../../plugins/reference/schema-type.ts';

const test = suite('parts of the reference');

const text = (part: unknown): string => html`${part as string}`.html;

function documentWith(schemas: Readonly<Record<string, Schema>>): OpenapiDocument {
  return {
    info: { title: 'Acme API', version: '1', description: '' },
    servers: [],
    paths: {},
    components: { schemas, headers: {}, responses: {}, securitySchemes: {} },
    'x-scopes': {},
    'x-presets': {},
    'x-errors': {},
  };
}
const document = documentWith({
  Send: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
  Tree: { type: 'object', properties: { children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } } },
});
const context = { document, objects: new Set(['Send']), parents: [] };
const send: Schema = { $ref: '#/components/schemas/Send' };
const tree: Schema = { $ref: '#/components/schemas/Tree' };

test('a value that is put into HTML is escaped unless it is HTML itself', () => {
  const inner = html`<b>${'<i>"&'}</b>`;
  assert.is(inner.html, '<b>&lt;i&gt;&quot;&amp;</b>');
  assert.is(html`${[inner, undefined, false, 0]}`.html, `${inner.html}0`);
});

test('the forms of a schema are named after the field that distinguishes them', () => {
  const one = (kind: string): Schema => ({
    type: 'object',
    properties: { id: { type: 'string' }, kind: { const: kind } },
  });
  const plain: Schema = { type: 'object', properties: { id: { type: 'string' } } };
  const namesIn = (schema: Schema) =>
    [...schemaView(schema, context, false).html.matchAll(/<summary>(.*?)<\/summary>/g)].map(([, name]) => name);
  const names = ['<code>kind: delay</code>', '<code>kind: exit</code>', 'Form 3'];
  const forms: Schema = { oneOf: [one('delay'), one('exit'), plain] };
  assert.equal(namesIn(forms), names);
  assert.equal(namesIn({ type: 'object', properties: { node: forms } }), names);
});

test('only code and URLs are marked up in prose', () => {
  assert.is(
    text(inline('a `b<c` & https://example.com/x.')),
    'a <code>b&lt;c</code> &amp; <a href="https://example.com/x">https://example.com/x</a>.',
  );
  assert.is(text(inline('javascript:alert(1) "x"')), 'javascript:alert(1) &quot;x&quot;');
  assert.is(paragraphs('a\n\nb').html, '<p>a</p><p>b</p>');
});

test('types are described in words, and objects of the page are links', () => {
  const name = (schema: Schema) => typeName(schema, context).html;
  const link = '<a href="#object.Send">Send</a>';
  assert.is(name(send), link);
  assert.is(name({ type: 'array', items: send }), `array of ${link}`);
  assert.is(name({ anyOf: [send, { type: 'null' }] }), `${link} or null`);
  assert.is(name({ type: ['string', 'null'] }), 'string or null');
  assert.is(name({ type: 'string', format: 'date-time' }), 'time');
  assert.is(name({ type: 'object', additionalProperties: { type: 'integer' } }), 'map of integer');
  assert.is(name({ type: 'object', additionalProperties: {} }), 'object');
  assert.is(name({ anyOf: [{ type: 'string' }, { type: 'boolean' }] }), 'string or boolean');
  assert.is(name({ const: true }), '<code>true</code>');
  assert.is(name({}), 'any');
});

test('limits are described in words', () => {
  const limits = (schema: Schema) => limitsOf(schema).map(text);
  assert.equal(limits({ minLength: 1, maxLength: 40 }), ['1 to 40 characters']);
  assert.equal(limits({ minimum: 1, maximum: 100, default: 25 }), ['1 to 100', 'default <code>25</code>']);
  assert.equal(limits({ exclusiveMinimum: 0 }), ['more than 0']);
  assert.equal(limits({ maxItems: 10 }), ['at most 10 items']);
  assert.equal(limits({ minLength: 3, maxLength: 3 }), ['exactly 3 characters']);
  assert.equal(limits({ default: '' }), ['default <code>&quot;&quot;</code>']);
});

test('fields are nested, and a recursive type is named but not expanded', () => {
  const view = schemaView(tree, context, true).html;
  assert.match(view, /children/);
  assert.match(view, /array of Tree/);
  assert.not.match(view, /<details/);
  const body: Schema = {
    type: 'object',
    required: ['to'],
    properties: {
      to: { type: 'string', description: 'Whom' },
      from: { type: 'object', properties: { name: { type: 'string', description: 'Shown. Default: "x".' } } },
    },
  };
  const asked = schemaView(body, context, false).html;
  assert.match(asked, /<code>to<\/code>.*required.*Whom\./);
  assert.match(asked, /<details><summary>1 field<\/summary>.*Shown\..*default <code>&quot;x&quot;/);
  assert.match(schemaView(body, context, true).html, /<code>from<\/code>.*optional/);
});

test('a sample is valid for its schema', () => {
  const sample = (schema: Schema, extent: 'required' | 'all' = 'all') => sampleOf(document, schema, extent);
  assert.equal(sample(send), { id: 'id' });
  assert.equal(sample(tree), { children: [null] });
  assert.is(sample({ type: 'string', format: 'email' }), 'ada@example.com');
  assert.is(sample({ type: 'string', examples: ['x'] }), 'x');
  assert.is(sample({ type: 'string', enum: ['a', 'b'] }), 'a');
  assert.is(sample({ type: 'string', minLength: 6 }), 'text..');
  assert.is(sample({ type: 'integer', minimum: 3 }), 3);
  assert.is(sample({ type: 'number', exclusiveMinimum: 0, maximum: 0.5 }), 0.5);
  assert.is(sample({ anyOf: [{ type: 'null' }, { type: 'boolean' }] }), true);
  const two: Schema = { type: 'object', required: ['a'], properties: { a: { const: 1 }, b: { const: 2 } } };
  assert.equal(sample(two, 'required'), { a: 1 });
  assert.equal(sample(two), { a: 1, b: 2 });
});

test('a literal evaluates to its value', () => {
  const values = [
    "it's",
    '"both\' \\ \n',
    { a: 1, 'b-c': [true, null], d: {} },
    [],
    { long: 'x'.repeat(90), list: ['y'.repeat(50), 'z'.repeat(50)] },
  ];
  for (const value of values) {
    const code = literal(value);
    assert.equal(new Function(`return (${code});`)(), value, code);
  }
  assert.is(literal({ to: 'ada' }), "{ to: 'ada' }");
  assert.match(literal(values[4]), /^\{\n {2}long: '/);
});

test('area titles are readable words', () => {
  assert.equal(['email', 'social_events', 'qr', 'openapi', 'content_plan'].map(titleOf), [
    'Email',
    'Social events',
    'QR',
    'OpenAPI',
    'Content plan',
  ]);
});

test.run();

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type Contract,
  checkContract,
  compareContracts,
  inferContract,
  missingPlaceholders,
} from '../../../plugins/templates/contract/schema.ts';
import { parseTemplate } from '../../../plugins/templates/language/liquid.ts';

const test = suite('templates: contracts');

function contractOf(json: unknown): Contract {
  const result = checkContract(json);
  if (!result.ok) throw new Error(JSON.stringify(result.faults));
  return result.contract;
}

const codesOf = (json: unknown): string[] => {
  const result = checkContract(json);
  return result.ok ? [] : result.faults.map(({ path, code }) => `${path} ${code}`);
};
const property = (schema: unknown) => ({ type: 'object', properties: { a: schema } });
const placeholders = (source: string) => parseTemplate(source, 'plain').placeholders;

test('the normal form has additionalProperties in every object', () => {
  const contract = contractOf({
    required: ['user'],
    properties: {
      user: { properties: { name: { minLength: 1, type: 'string' } } },
      tags: { items: { type: 'string' } },
    },
  });
  assert.is(
    JSON.stringify(contract),
    JSON.stringify({
      type: 'object',
      properties: {
        user: { type: 'object', properties: { name: { type: 'string', minLength: 1 } }, additionalProperties: false },
        tags: { type: 'array', items: { type: 'string' } },
      },
      required: ['user'],
      additionalProperties: false,
    }),
  );
  assert.equal(contractOf(contract), contract);
  assert.equal(contractOf({}), { type: 'object', properties: {}, required: [], additionalProperties: false });
});

test('every unsupported keyword is refused, and the error names it', () => {
  const keywords = [
    '$ref',
    '$schema',
    '$id',
    '$defs',
    'oneOf',
    'anyOf',
    'allOf',
    'not',
    'if',
    'patternProperties',
    'prefixItems',
  ];
  for (const keyword of [
    ...keywords,
    'multipleOf',
    'uniqueItems',
    'contains',
    'dependentRequired',
    'contentEncoding',
    'nullable',
    'x',
  ]) {
    assert.equal(codesOf(property({ type: 'string', [keyword]: {} })), [
      `variables.properties.a.${keyword} keyword_unknown`,
    ]);
  }
});

test('values of the wrong type, misplaced keywords and contradictory bounds are refused', () => {
  const wrong: [unknown, string][] = [
    [{ type: 'text' }, '.type value_invalid'],
    [{ type: [] }, '.type value_invalid'],
    [{ type: ['string', 'string'] }, '.type value_invalid'],
    [{}, ' type_missing'],
    [{ type: 'string', minLength: '1; process.exit()' }, '.minLength value_invalid'],
    [{ type: 'string', minLength: -1 }, '.minLength value_invalid'],
    [{ type: 'string', maxLength: 1.5 }, '.maxLength value_invalid'],
    [{ type: 'number', minimum: Number.POSITIVE_INFINITY }, '.minimum value_invalid'],
    [{ type: 'number', minimum: '1' }, '.minimum value_invalid'],
    [{ type: 'number', exclusiveMinimum: true }, '.exclusiveMinimum value_invalid'],
    [{ type: 'array', minItems: { toString: 1 } }, '.minItems value_invalid'],
    [{ type: 'string', format: 'ipv4' }, '.format value_invalid'],
    [{ type: 'string', enum: [] }, '.enum value_invalid'],
    [{ type: 'string', enum: [{}] }, '.enum value_invalid'],
    [{ type: 'string', const: [] }, '.const value_invalid'],
    [{ type: 'string', title: 1 }, '.title value_invalid'],
    [{ type: 'string', examples: 'x' }, '.examples value_invalid'],
    [{ type: 'string', minimum: 1 }, '.minimum keyword_misplaced'],
    [{ type: 'number', pattern: 'x' }, '.pattern keyword_misplaced'],
    [{ type: 'object', enum: ['x'] }, '.enum keyword_misplaced'],
    [{ type: 'string', minLength: 3, maxLength: 2 }, '.minLength bounds_crossed'],
    [{ type: 'object', required: ['x'] }, '.required required_unknown'],
    [{ type: 'object', additionalProperties: {} }, '.additionalProperties value_invalid'],
    [{ type: 'string', pattern: '(a+)+' }, '.pattern pattern_refused'],
    [{ type: 'string', default: 1 }, '.default default_invalid'],
    [{ type: 'object', properties: { b: { type: 'integer', default: 1.5 } } }, '.properties.b.default default_invalid'],
    ['string', ' value_invalid'],
    [null, ' value_invalid'],
    [[], ' value_invalid'],
  ];
  for (const [schema, expected] of wrong) {
    assert.equal(codesOf(property(schema)), [`variables.properties.a${expected}`], JSON.stringify(schema));
  }
  assert.equal(codesOf({ type: 'string' }), ['variables.type value_invalid']);
  assert.equal(codesOf(null), ['variables value_invalid']);
});

test('names of prototype members are refused, and so are names that Liquid cannot read', () => {
  const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__'];
  for (const name of [
    ...names,
    '1a',
    'a b',
    'a.b',
    "a'b",
    'a"b',
    'a\n',
    '',
    '$$root',
    'é',
    'x'.repeat(65),
    'nil',
    'true',
    'empty',
  ]) {
    const json = JSON.parse(`{"type":"object","properties":{${JSON.stringify(name)}:{"type":"string"}}}`);
    assert.equal(
      codesOf(json).map((code) => code.split(' ').at(-1)),
      ['name_forbidden'],
      name,
    );
  }
  assert.equal(
    codesOf(property({ type: 'object', properties: { empty: { type: 'string' }, 'a-b_C9': { type: 'null' } } })),
    [],
  );
});

test('depth and size are limited', () => {
  let deep: unknown = { type: 'string' };
  for (let level = 0; level < 12; level++) deep = { type: 'object', properties: { a: deep } };
  assert.match(codesOf(deep).join(), 'too_large');
  const wide = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`a${index}`, { type: 'string' }]));
  assert.match(codesOf({ type: 'object', properties: wide }).join(), 'too_large');
  assert.match(codesOf(property({ type: 'string', description: 'x'.repeat(70_000) })).join(), 'too_large');
  const cycle: Record<string, unknown> = { type: 'object' };
  cycle['properties'] = { a: cycle };
  assert.match(codesOf(cycle).join(), 'too_large');
});

test('the inferred contract has a required text for each variable, objects for dots and lists for loops', () => {
  const source =
    '{{ user.name }}{{ user.mail | downcase }}{% for item in items %}{{ item.name }}{{ item.tags[0] }}{% endfor %}{% if note %}{{ note }}{% endif %}';
  const text = { type: 'string' };
  const object = (properties: Record<string, unknown>, ...optional: string[]) => {
    const requiredNames = Object.keys(properties).filter((name) => !optional.includes(name));
    return { type: 'object', properties, required: requiredNames, additionalProperties: false };
  };
  assert.equal(
    inferContract(placeholders(source)),
    object(
      {
        user: object({ name: text, mail: text }),
        items: { type: 'array', items: object({ name: text, tags: { type: 'array', items: text } }) },
        note: text,
      },
      'note',
    ),
  );
  assert.equal(
    inferContract(placeholders('{% for a in list %}{{ a }}{% endfor %}{{ list.size }}{{ n.first }}')),
    object({
      list: { type: 'array', items: text },
      n: object({ first: text }),
    }),
  );
});

test('a variable is inferred as optional only if the template renders without it', () => {
  const requiredIn = (source: string) => inferContract(placeholders(source)).required;
  for (const source of [
    '{% if coupon %}{{ coupon }}{% endif %}',
    '{% if coupon %}Hello{% endif %}',
    '{% if coupon and true %}{{ coupon }}{% endif %}',
    '{% if coupon == "A" %}{{ coupon }}{% endif %}',
    '{% if coupon != blank %}{{ coupon }}{% endif %}',
    '{% unless coupon %}none{% endunless %}',
    '{{ coupon | default: "none" }}',
    '{% if coupon.code %}{{ coupon.code }}{% endif %}',
    '{% if coupon.size > 0 %}{% for one in coupon %}{{ one }}{% endfor %}{% endif %}',
  ]) {
    assert.equal(requiredIn(source), [], source);
    assert.type(parseTemplate(source, 'plain').render({}), 'string', source);
  }
  for (const source of [
    '{% if coupon %}{{ coupon }}{% endif %}{{ coupon }}',
    '{% if coupon or vip %}{{ coupon }}{% endif %}',
    '{% if coupon != "A" %}{{ coupon }}{% endif %}',
    '{% if coupon %}yes{% else %}{{ coupon }}{% endif %}',
    '{% unless coupon == "A" %}{{ coupon }}{% endunless %}',
    '{% if coupon == nil %}{{ coupon }}{% endif %}',
  ])
    assert.equal(requiredIn(source), ['coupon'], source);
  const { properties, required } = inferContract(placeholders('{% if gift %}{{ gift.note }}{% endif %}'));
  assert.equal([required, properties['gift']?.required], [[], ['note']]);
});

test('an inferred contract declares every placeholder', () => {
  for (const source of [
    '{{ a }}{{ b.c.d }}{% for x in b.list %}{{ x.y }}{% for z in x.zs %}{{ z }}{% endfor %}{% endfor %}',
    '{% assign s = rows | sort: "n" %}{% for r in s %}{{ r.n }}{% endfor %}{{ rows | map: "m" | join }}',
    '{% for i in (1..count) %}{{ list[i] }}{% endfor %}{{ list.first.name }}{{ list.size }}',
    '{% case kind %}{% when "a" %}{{ a }}{% endcase %}{% capture c %}{{ d }}{% endcapture %}{{ c }}',
  ]) {
    const contract = inferContract(placeholders(source));
    assert.equal(contractOf(contract), contract);
    assert.equal(missingPlaceholders(contract, placeholders(source)), [], source);
  }
});

test('placeholders that a contract does not declare are listed', () => {
  const contract = contractOf({
    properties: {
      user: { type: 'object', properties: { name: { type: 'string' } } },
      open: { type: 'object', additionalProperties: true },
      list: { type: 'array', items: { type: 'object', properties: { a: { type: 'string' } } } },
    },
  });
  const source = `{{ user.name }}{{ user.name.size }}{{ user.age }}{{ open.any.thing }}{{ list[0].a }}{{ list.first.b }}{{ list.size }}
{% for x in list %}{{ x.a }}{{ x.c }}{% endfor %}{{ nobody }}{{ user.constructor }}`;
  const missing = missingPlaceholders(contract, placeholders(source)).map(
    ({ path, line }) => `${path.join('.')} ${line}`,
  );
  assert.equal(missing, ['user.age 1', 'list.first.b 1', 'list.[].c 2', 'nobody 2', 'user.constructor 2']);
});

const base = {
  properties: {
    name: { type: 'string', maxLength: 10 },
    count: { type: 'integer', minimum: 1 },
    kind: { enum: ['a', 'b'] },
    user: { type: 'object', properties: { mail: { type: 'string' } }, required: ['mail'] },
    list: { type: 'array', items: { type: 'string' } },
  },
  required: ['name'],
};

/** The base contract with some of its properties replaced; the value undefined removes a property. */
function variant(properties: Record<string, unknown>, required = ['name'], more = {}): Contract {
  const all = Object.entries({ ...base.properties, ...properties }).filter(([, schema]) => schema !== undefined);
  return contractOf({ properties: Object.fromEntries(all), required, ...more });
}

test('changes that break callers are found', () => {
  const from = contractOf(base);
  const breaking: [Contract, string][] = [
    [variant({ list: undefined }), 'list'],
    [variant({}, ['name', 'count']), 'count'],
    [variant({ fresh: { type: 'string' } }, ['name', 'fresh']), 'fresh'],
    [variant({ name: { type: 'number' } }), 'name'],
    [variant({ name: { type: 'string', maxLength: 9 } }), 'name'],
    [variant({ name: { type: 'string', maxLength: 10, minLength: 1 } }), 'name'],
    [variant({ name: { type: 'string', maxLength: 10, pattern: 'x' } }), 'name'],
    [variant({ name: { type: 'string', maxLength: 10, format: 'email' } }), 'name'],
    [variant({ name: { type: 'string', maxLength: 10, enum: ['x'] } }), 'name'],
    [variant({ count: { type: 'integer', minimum: 2 } }), 'count'],
    [variant({ count: { type: 'integer', minimum: 1, exclusiveMaximum: 5 } }), 'count'],
    [variant({ kind: { const: 'a' } }), 'kind'],
    [variant({ user: { type: 'object', properties: { mail: { type: 'string', format: 'email' } } } }), 'user.mail'],
    [variant({ user: { type: 'object', properties: {} } }), 'user.mail'],
    [variant({ list: { type: 'array', items: { type: 'string', minLength: 1 } } }), 'list[]'],
    [variant({ list: { type: 'array', items: { type: 'string' }, maxItems: 3 } }), 'list'],
  ];
  for (const [to, path] of breaking) {
    const comparison = compareContracts(from, to);
    assert.ok(comparison.changed && comparison.breaking, JSON.stringify(to));
    assert.ok(
      comparison.reasons.some((reason) => reason.path === path),
      `${path}: ${JSON.stringify(comparison.reasons)}`,
    );
  }
});

test('changes that have no effect on callers are allowed', () => {
  const from = contractOf(base);
  for (const to of [
    variant({ fresh: { type: 'string' } }),
    variant({ fresh: { type: 'string', default: 'x' } }, ['name', 'fresh']),
    variant({}, []),
    variant({ name: { type: ['string', 'null'], maxLength: 11 } }),
    variant({ count: { type: 'number', minimum: 0 } }),
    variant({ kind: { enum: ['a', 'b', 'c'] } }),
    variant({ kind: { type: 'string' } }),
    variant({ list: { type: 'array' } }),
    variant({ name: { type: 'string', maxLength: 10, minLength: 0, description: 'Who' } }),
    variant({}, ['name'], { additionalProperties: true }),
  ]) {
    const comparison = compareContracts(from, to);
    assert.equal(comparison.reasons, [], JSON.stringify(to));
    assert.is(comparison.breaking, false);
    assert.is(comparison.changed, true);
  }
});

test('added and removed names are listed, and their order has no effect', () => {
  const from = contractOf(base);
  const to = variant({
    list: undefined,
    fresh: { type: 'string' },
    user: { type: 'object', properties: { phone: { type: 'string' } } },
  });
  const { added, removed } = compareContracts(from, to);
  assert.equal(
    [added, removed],
    [
      ['user.phone', 'fresh'],
      ['user.mail', 'list'],
    ],
  );
  const reordered = contractOf({ ...base, properties: Object.fromEntries(Object.entries(base.properties).reverse()) });
  assert.equal(compareContracts(from, reordered), {
    changed: false,
    breaking: false,
    added: [],
    removed: [],
    reasons: [],
  });
});

test.run();

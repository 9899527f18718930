import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkContract } from '../../../plugins/templates/contract/schema.ts';
import { compileValidator, fillAbsent } from '../../../plugins/templates/contract/validator.ts';

const test = suite('templates: validating variables');

function contractOf(json: unknown) {
  const result = checkContract(json);
  if (!result.ok) throw new Error(JSON.stringify(result.faults));
  return result.contract;
}

const validatorOf = (json: unknown) => compileValidator(contractOf(json));
const faultsOf = (json: unknown, variables: unknown) => {
  return validatorOf(json)(variables).faults.map(({ path, code }) => `${path} ${code}`);
};
const property = (schema: unknown) => ({ type: 'object', properties: { a: schema }, required: ['a'] });

test('each error has its path', () => {
  const contract = {
    properties: {
      user: {
        type: 'object',
        properties: { name: { type: 'string' }, 'first-name': { type: 'string' } },
        required: ['name'],
      },
      items: { type: 'array', items: { type: 'object', properties: { price: { type: 'number' } } } },
    },
    required: ['user'],
  };
  assert.equal(faultsOf(contract, { user: { name: 'x' }, items: [{ price: 1 }] }), []);
  assert.equal(faultsOf(contract, {}), ['variables.user required']);
  assert.equal(faultsOf(contract, { user: { 'first-name': 1 }, items: [{ price: 1 }, { price: 'x', q: 1 }, 3] }), [
    ...['variables.items.1.q unknown', 'variables.user.name required', 'variables.user.first-name type'],
    ...['variables.items.1.price type', 'variables.items.2 type'],
  ]);
  for (const value of [undefined, null, 'x', 1, []]) assert.equal(faultsOf(contract, value).length, 1, String(value));
});

test('messages do not contain the value', () => {
  const [fault] = validatorOf(property({ type: 'string', format: 'email' }))({ a: 'secret-4711' }).faults;
  assert.match(fault?.message ?? '', 'format email');
  assert.not.match(JSON.stringify(fault), '4711');
});

test('unknown variables are refused unless they are allowed', () => {
  assert.equal(faultsOf({ properties: {} }, { b: 1 }), ['variables.b unknown']);
  const open = { properties: { a: { type: 'string' } }, additionalProperties: true };
  assert.equal(validatorOf(open)({ a: 'x', b: [1] }), { variables: { a: 'x', b: [1] }, faults: [] });
});

test('null is refused unless the type allows it', () => {
  assert.equal(faultsOf(property({ type: 'string' }), { a: null }), ['variables.a type']);
  assert.equal(faultsOf(property({ type: ['string', 'null'] }), { a: null }), []);
  assert.equal(faultsOf(property({ type: ['string', 'null'], enum: ['x'] }), { a: null }), ['variables.a type']);
  assert.equal(faultsOf(property({ enum: ['x', null] }), { a: null }), []);
  assert.equal(faultsOf({ properties: { a: { type: 'string' } } }, { a: null }), ['variables.a type']);
});

test('texts are checked for their length in characters, pattern and allowed values', () => {
  const schema = { type: 'string', minLength: 2, maxLength: 3 };
  assert.equal(
    ['😀', '😀😀', '😀😀😀', '😀😀😀😀'].map((a) => faultsOf(property(schema), { a }).join()),
    [...['variables.a min_length', '', '', 'variables.a max_length']],
  );
  assert.equal(faultsOf(property({ type: 'string', pattern: '^\\d+$' }), { a: '12x' }), ['variables.a pattern']);
  assert.equal(faultsOf(property({ type: 'string', enum: ['x', 'y'] }), { a: 'z' }), ['variables.a enum']);
  assert.equal(faultsOf(property({ const: 'x' }), { a: 'x' }), []);
});

test('numbers are checked exactly against their bounds', () => {
  const schema = { type: 'number', minimum: 0.1, exclusiveMaximum: 0.3 };
  assert.equal(
    [0.1, 0.3, 0.2, 0.09999999999999999, 0.1 + 0.2].map((a) => faultsOf(property(schema), { a }).join()),
    [...['', 'variables.a exclusive_maximum', '', 'variables.a minimum', 'variables.a exclusive_maximum']],
  );
  const integerContract = property({ type: 'integer', exclusiveMinimum: -1, maximum: 9007199254740991 });
  assert.equal(faultsOf(integerContract, { a: 1.0 }), []);
  assert.equal(faultsOf(integerContract, { a: -0 }), []);
  for (const value of [1.5, Number.NaN, Number.POSITIVE_INFINITY, -1, '1', true, 2 ** 53]) {
    assert.is(faultsOf(integerContract, { a: value }).length, 1, String(value));
  }
});

test('every supported format is checked', () => {
  const formats: Record<string, [string[], string[]]> = {
    email: [
      ['a@b.co', 'a.b+c@d-e.example.com', "o'neil@x.io", 'ä@x.de'].slice(0, 3),
      [
        'a',
        'a@b',
        'a@@b.c',
        'a b@c.de',
        'a@b.c\n',
        '.a@b.co',
        'a.@b.co',
        'a@-b.co',
        `${'a'.repeat(65)}@b.co`,
        'A <a@b.co>',
        'a@b..co',
      ],
    ],
    uri: [
      ['https://example.com/a?b=c#d', 'mailto:a@b.c', 'urn:x:y', 'myapp://open', 'http://[::1]/'],
      [
        'example.com',
        '/a',
        'https://a b',
        'https://a"b',
        'http://%zz',
        'javascript:alert(1)',
        'DATA:text/html,x',
        '',
        'https://ä',
      ],
    ],
    date: [
      ['2024-02-29', '2000-02-29', '1999-12-31'],
      [
        '2023-02-29',
        '1900-02-29',
        '2024-13-01',
        '2024-00-01',
        '2024-04-31',
        '2024-1-1',
        '2024-01-01T00:00:00Z',
        '2024-01-00',
      ],
    ],
    'date-time': [
      ['2024-02-29T23:59:59Z', '2024-01-01T00:00:00.123+02:00', '2016-12-31T23:59:60Z', '2016-12-31t15:59:60-08:00'],
      [
        '2024-01-01',
        '2024-01-01T24:00:00Z',
        '2024-01-01T00:00:00',
        '2024-01-01T12:00:60Z',
        '2024-01-01T00:00:00+25:00',
        '2024-02-30T00:00:00Z',
      ],
    ],
    uuid: [
      ['123e4567-e89b-12d3-a456-426614174000', '123E4567-E89B-12D3-A456-426614174000'],
      [
        '123e4567e89b12d3a456426614174000',
        '123e4567-e89b-12d3-a456-42661417400',
        'x',
        '{123e4567-e89b-12d3-a456-426614174000}',
      ],
    ],
  };
  for (const [format, [right, wrong]] of Object.entries(formats)) {
    for (const a of right) assert.equal(faultsOf(property({ type: 'string', format }), { a }), [], `${format} ${a}`);
    for (const a of wrong)
      assert.equal(faultsOf(property({ type: 'string', format }), { a }), ['variables.a format'], `${format} ${a}`);
  }
});

test('defaults are filled in, but only in a copy', () => {
  const validate = validatorOf({
    properties: {
      a: { type: 'string', default: 'x' },
      user: { type: 'object', properties: { role: { type: 'string', default: 'guest' } }, default: {} },
      rows: { type: 'array', items: { type: 'object', properties: { n: { type: 'integer', default: 1 } } } },
    },
    required: ['a'],
  });
  const frozen = Object.freeze({ rows: Object.freeze([Object.freeze({})]) });
  const result = validate(frozen);
  assert.equal(result, { variables: { rows: [{ n: 1 }], a: 'x', user: { role: 'guest' } }, faults: [] });
  assert.equal(frozen, { rows: [{}] });
  (result.variables['user'] as Record<string, unknown>)['role'] = 'changed';
  assert.equal((validate({}).variables['user'] as Record<string, unknown>)['role'], 'guest');
});

test('for a value with several types, only the errors of its own type are reported', () => {
  const schema = property({ type: ['string', 'object'], properties: { b: { type: 'integer' } } });
  assert.equal(faultsOf(schema, { a: { b: 'x' } }), ['variables.a.b type']);
  assert.equal(faultsOf(schema, { a: 1 }), ['variables.a type']);
  assert.equal(faultsOf(schema, { a: 'x' }), []);
});

test('a misspelt variable gets a suggestion, or else the list of variables', () => {
  const validate = validatorOf({ properties: { name: { type: 'string' }, total: { type: 'string' } } });
  assert.equal(
    validate({ nam: 'Ada', zebra: 1 }).faults.map(({ message }) => message),
    [
      'The contract has no such variable. Did you mean name?',
      'The contract has no such variable. It knows name, total.',
    ],
  );
});

test('variables cannot reach prototypes', () => {
  const open = validatorOf({ properties: {}, additionalProperties: true });
  const { variables, faults } = open(JSON.parse('{"__proto__":{"polluted":1},"constructor":1,"toString":1}'));
  assert.equal(
    faults.map(({ code }) => code),
    ['unknown', 'unknown', 'unknown'],
  );
  assert.is(Object.getPrototypeOf(variables), Object.prototype);
  assert.is((variables as { polluted?: number }).polluted, undefined);
  assert.is(({} as { polluted?: number }).polluted, undefined);
});

test('nothing in a contract runs as code', () => {
  const evil = [
    '"];globalThis.pwned=1;//',
    "'+(globalThis.pwned=1)+'",
    ['`$', '{globalThis.pwned=1}`'].join(''),
    '*/globalThis.pwned=1/*',
    '\n;globalThis.pwned=1\n',
  ];
  for (const text of evil) {
    const validate = validatorOf({
      title: text,
      description: text,
      examples: [text],
      properties: {
        a: {
          type: 'string',
          enum: [text, 'x'],
          title: text,
          description: text,
          default: text,
          examples: [{ [text]: text }],
        },
        b: { const: text },
        c: { type: 'string', pattern: '^"\\]\\);throw 1;//$' },
      },
    });
    validate({ a: text, b: text, c: text });
    validate({ a: 1, b: 2, c: 3, [text]: 1 });
    assert.is((globalThis as { pwned?: number }).pwned, undefined, text);
  }
});

test('a value that cannot be converted to text is reported as an error', () => {
  const unprintable = JSON.parse('{"a":{"toString":1,"valueOf":2},"b":[{"toString":1}]}');
  const contract = { properties: { a: { type: 'string' }, b: { type: 'object', properties: {} } } };
  assert.equal(faultsOf(contract, unprintable), ['variables.a type', 'variables.b type']);
});

test('a contract that was not checked cannot be compiled', () => {
  const uncheckedContract = {
    type: 'object',
    properties: { 'a"];x': { type: 'string' } },
    required: [],
    additionalProperties: false,
  } as const;
  assert.throws(() => compileValidator({ ...uncheckedContract, required: [] }), /checked/);
});

test('the cost of patterns and the number of reported errors are limited', () => {
  const contract = { properties: { a: { type: 'array', items: { type: 'string', pattern: '^[ab]{1,400}$' } } } };
  const faults = validatorOf(contract)({ a: new Array(500).fill('ab'.repeat(500)) }).faults;
  assert.ok(faults.some(({ code }) => code === 'too_large'));
  assert.ok(faults.length <= 100);
});

test('omitted variables are null in the template', () => {
  const contract = contractOf({
    properties: {
      a: { type: 'string' },
      user: { type: 'object', properties: { name: { type: 'string' }, mail: { type: 'string' } } },
      rows: { type: 'array', items: { type: 'object', properties: { n: { type: 'integer' } } } },
    },
  });
  const variables = { user: { name: 'x' }, rows: [{}] };
  assert.equal(fillAbsent(contract, variables), { a: null, user: { name: 'x', mail: null }, rows: [{ n: null }] });
  assert.equal(variables, { user: { name: 'x' }, rows: [{}] });
});

test.run();

// The messages for schema errors are the same over REST, with a tool and in process, and never contain the validator's own phrases.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { z } from 'zod';
import { checkValue, faultSummary } from '../../core/contract/errors/input-faults.ts';
import { idOf, timeInput } from '../../core/contract/schemas/fields.ts';
import { emailAddress } from '../../core/contract/values/addresses.ts';
import { createTestService } from '../../hosts/testing/test-service.ts';
import { standardPlugins } from '../../plugins/index.ts';

const test = suite('messages for invalid input');

const form = z.strictObject({
  to: z.string().min(1).max(5).optional(),
  send_at: timeInput.optional(),
  first_name: z.string().optional(),
  many: z.array(z.string()).min(2).max(3).optional(),
  count: z.int().min(1).max(9).optional(),
  share: z.number().gt(0).lt(1).multipleOf(0.25).optional(),
  sure: z.boolean().optional(),
  mode: z.enum(['live', 'sandbox']).optional(),
  kind: z.literal('email').optional(),
  mail: z.email().optional(),
  link: z.url().optional(),
  key: z
    .string()
    .regex(/^[a-z]+$/)
    .optional(),
  ref: idOf('con').optional(),
  own: z
    .string()
    .refine((text) => text === 'x', 'This is not x.')
    .optional(),
  sender: z.object({ email: emailAddress, name: z.string() }).optional(),
  either: z.union([z.string(), z.array(z.string())]).optional(),
  forms: z.union([z.string(), z.strictObject({ email: z.string(), name: z.string().optional() })]).optional(),
  filter: z
    .union([
      z.record(z.string(), z.never()),
      z.strictObject({ all: z.array(z.string()) }),
      z.strictObject({ path: z.string(), op: z.enum(['eq', 'ne']), value: z.string() }),
    ])
    .optional(),
  shape: z
    .discriminatedUnion('type', [z.object({ type: z.literal('a') }), z.object({ type: z.literal('b') })])
    .optional(),
  map: z.record(z.string().regex(/^[a-z]+$/), z.string()).optional(),
  deep: z.object({ list: z.array(z.object({ name: z.string() })) }).optional(),
});

const faultsOf = (value: unknown) => {
  const result = checkValue(form, value);
  return result.ok ? [] : result.faults.map(({ path, code, message }) => `${path} ${code}: ${message}`);
};

const cases: readonly (readonly [unknown, string])[] = [
  [{ to: '' }, 'to too_small: to must not be empty.'],
  [{ to: 'abcdef' }, 'to too_big: to must have at most 5 characters.'],
  [{ to: 5 }, 'to invalid_type: to must be a string.'],
  [{ to: null }, 'to invalid_type: to must be a string.'],
  [{ many: ['a'] }, 'many too_small: many must have at least 2 items.'],
  [{ many: ['a', 'b', 'c', 'd'] }, 'many too_big: many must have at most 3 items.'],
  [{ many: 'a' }, 'many invalid_type: many must be a list.'],
  [{ many: ['a', 1] }, 'many.1 invalid_type: many.1 must be a string.'],
  [{ count: 1.5 }, 'count invalid_type: count must be a whole number.'],
  [{ count: 0 }, 'count too_small: count must be at least 1.'],
  [{ count: 10 }, 'count too_big: count must be at most 9.'],
  [{ share: 0 }, 'share too_small: share must be more than 0.'],
  [{ share: 0.3 }, 'share not_multiple_of: share must be a multiple of 0.25.'],
  [{ sure: 'yes' }, 'sure invalid_type: sure must be true or false.'],
  [{ mode: 'Sandbox' }, 'mode invalid_value: mode must be one of live or sandbox. Did you mean sandbox?'],
  [{ kind: 'sms' }, 'kind invalid_value: kind must be email.'],
  [{ mail: 'ada' }, 'mail invalid_format: mail must be an email address such as name@example.com.'],
  [{ link: 'ada' }, 'link invalid_format: link must be a URL such as https://example.com/page.'],
  [
    { send_at: 'soon' },
    'send_at invalid_format: send_at must be a time in ISO 8601, such as 2026-11-20T15:04:05.000Z.',
  ],
  [
    { send_at: new Date(0) },
    'send_at invalid_type: send_at must be a string: a time in ISO 8601, such as 2026-11-20T15:04:05.000Z, which toISOString() of a date gives.',
  ],
  [
    { send_at: 1_764_576_000 },
    'send_at invalid_type: send_at must be a string: a time in ISO 8601, such as 2026-11-20T15:04:05.000Z.',
  ],
  [
    { to: { email: 'a@b.example' } },
    'to invalid_type: to must be a string: the address alone, such as name@example.com.',
  ],
  [
    { sender: 'Ada <a@b.example>' },
    'sender invalid_type: sender must be an object with email, name, such as { "email": "name@example.com", "name": "Ada" }.',
  ],
  [
    { sender: { email: 'jürgen@bücher.example', name: '' } },
    'sender.email custom: This is not an email address: give one like name@example.com. Only ASCII characters are allowed before the @; the domain may have others.',
  ],
  [
    { send_at: '2026-12-10T09:00:00' },
    'send_at invalid_format: send_at lacks its offset from UTC. End the time with Z, or with an offset such as +02:00.',
  ],
  [{ key: 'A' }, 'key invalid_format: key must match the pattern /^[a-z]+$/.'],
  [{ ref: 'con_1' }, 'ref invalid_format: Give an id that begins with con_, as the service returned it.'],
  [{ own: 'y' }, 'own custom: This is not x.'],
  [{ either: 5 }, 'either invalid_union: either must be a string or a list.'],
  [{ forms: { name: 'Ada' } }, 'forms.email required: forms.email is required.'],
  [{ filter: { path: 'a', op: 'is', value: 'b' } }, 'filter.op invalid_value: filter.op must be one of eq or ne.'],
  [{ filter: { path: 'a', op: 'eq' } }, 'filter.value required: filter.value is required.'],
  [{ filter: { all: ['a'], extra: 1 } }, 'filter.extra unknown_field: There is no field extra here. Available: all.'],
  [
    { filter: { extra: 1 } },
    'filter.extra unknown_field: There is no field extra here. Check its spelling, or leave it out.',
  ],
  [{ shape: { type: 'c' } }, 'shape.type invalid_union: shape.type must be one of a or b.'],
  [{ shape: {} }, 'shape.type required: shape.type is required.'],
  [{ map: { A: 'x' } }, 'map.A invalid_key: The name must match the pattern /^[a-z]+$/.'],
  [{ deep: 'a' }, 'deep invalid_type: deep must be an object with list.'],
  [{ deep: { list: [{}] } }, 'deep.list.0.name required: deep.list.0.name is required.'],
  ['text', ' invalid_type: The input must be an object with to, send_at, first_name, many, count, share.'],
  [
    { either: new Date(0) },
    'either invalid_union: either must be a string: a time in ISO 8601, such as 2026-11-20T15:04:05.000Z, which toISOString() of a date gives.',
  ],
  [
    { map: { a: undefined } },
    'map.a required: map.a is undefined. Give a value, or leave the field out if it is optional.',
  ],
  [{ deep: { list: [{}] } }, 'deep.list.0.name required: deep.list.0.name is required.'],
  [undefined, ' required: The input is required.'],
];

test('each error has a message about its field', () => {
  for (const [value, expected] of cases) assert.equal(faultsOf(value), [expected], JSON.stringify(value));
});

test('a field that is misspelt or in the wrong case gets the right name as a suggestion', () => {
  const unknown = (name: string) => faultsOf({ [name]: 'x' })[0];
  assert.is(unknown('sendAt'), 'sendAt unknown_field: There is no field sendAt here. Did you mean send_at?');
  assert.is(
    unknown('FirstName'),
    'FirstName unknown_field: There is no field FirstName here. Did you mean first_name?',
  );
  assert.is(unknown('mial'), 'mial unknown_field: There is no field mial here. Did you mean mail?');
  assert.is(
    unknown('colour'),
    'colour unknown_field: There is no field colour here. Available: to, send_at, first_name, many, count, share, sure, mode, kind, mail, link, key and 9 more.',
  );
});

test('a message contains up to three errors in full and counts the others', () => {
  const fault = (path: string) => ({ path, code: 'required', message: `${path} is required.` });
  assert.is(faultSummary(['a', 'b'].map(fault)), 'a is required. b is required.');
  assert.is(faultSummary(['a', 'b', 'c'].map(fault)), 'a is required. b is required. c is required.');
  assert.is(faultSummary([...'abcde'].map(fault)), 'a is required. b is required. c is required. (and 2 more)');
  const long = fault('x'.repeat(880));
  assert.is(faultSummary([long, fault('second'), fault('c')]), `${long.message} (and 2 more)`);
  const tooLong = faultSummary([fault('x'.repeat(2_000)), fault('b')]);
  assert.equal([tooLong.length < 1_000, tooLong.slice(-13)], [true, 'x (and 1 more)'.slice(-13)]);
});

test('REST, tools and calls in process give the same messages', async () => {
  const testService = await createTestService({ plugins: standardPlugins });
  try {
    const expectedMessage = 'email is required. expiresAt: There is no field expiresAt here. Did you mean expires_at?';
    const body = { expiresAt: '2027-01-01T00:00:00.000Z' };
    const restAnswer = await testService.request('/v1/suppressions', { body });
    assert.equal([restAnswer.status, restAnswer.body.error.message], [422, expectedMessage]);
    assert.equal(restAnswer.body.error.details, [
      { path: 'email', code: 'required', message: 'email is required.' },
      {
        path: 'expiresAt',
        code: 'unknown_field',
        message: 'There is no field expiresAt here. Did you mean expires_at?',
      },
    ]);
    const params = { name: 'create_suppression', arguments: body };
    const tool = await testService.request('/v1/mcp', {
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    });
    assert.is(tool.body.result.structuredContent.error.message, expectedMessage);
    assert.equal(tool.body.result.structuredContent.error.details, restAnswer.body.error.details);
    const { suppressions } = testService.service.as(testService.workspaceId);
    const refused = await suppressions.create(body as never).then(
      () => assert.unreachable('accepted'),
      (error: Error) => error,
    );
    assert.is((refused as Error).message, expectedMessage);
  } finally {
    await testService.close();
  }
});

test('a missing, a malformed and an unknown key get different messages', async () => {
  const testService = await createTestService({ plugins: standardPlugins });
  try {
    const messageOf = async (key: string) => {
      const { status, body } = await testService.request('/v1/workspace', { key });
      assert.equal([status, body.error.code], [401, 'invalid_api_key']);
      return body.error.message as string;
    };
    assert.match(await messageOf(''), /^The API key is missing\./);
    assert.match(await messageOf('nonsense'), /^This is not a complete API key of this service/);
    const last = testService.liveKey.at(-1) === 'A' ? 'B' : 'A';
    assert.match(await messageOf(testService.liveKey.slice(0, -1) + last), /its format or its checksum is wrong/);
    const { id, secret } = await testService.service.keys.create({
      workspaceId: testService.workspaceId,
      name: 'Old',
      preset: 'read',
    });
    await testService.service.keys.revoke(testService.workspaceId, id);
    assert.match(await messageOf(secret), /unknown, revoked or expired/);
  } finally {
    await testService.close();
  }
});

test.run();

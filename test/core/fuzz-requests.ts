// Requests for fuzzing, made from the declaration of an operation and its fixture: valid requests with a changed path, query, header or
// body, and requests without any meaning. Used by the fuzz-*.test.ts files.
import fc from 'fast-check';
import type { z } from 'zod';
import { type Fixture, foreignIds } from '../../core/contract/declaration/fixture.ts';
import type { Operation } from '../../core/contract/declaration/operation.ts';
import { jsonSchemaOf, rootSchema } from '../../core/projections/json-schema.ts';
import type { FuzzRequest } from './fuzz-target.ts';
import { hostileNames, hostileText, jsonText, mutate, raw, validValue } from './fuzz-values.ts';

/** Percent-encodes any text. A lone surrogate becomes bytes that are invalid in UTF-8. */
export function encodeText(text: string): string {
  return [...text]
    .map((char) =>
      !/\p{Cs}/u.test(char)
        ? encodeURIComponent(char)
        : `%ED%${(0x80 | ((char.charCodeAt(0) >> 6) & 0x3f)).toString(16)}%${(0x80 | (char.charCodeAt(0) & 0x3f)).toString(16)}`,
    )
    .join('');
}

const segments = fc.constantFrom(
  ...['%2F', '%00', '%ff', '%', '%zz', '..', '.', '%2e%2e', 'a%2Fb', '%E0%A4%A', '%ED%A0%80', '%F0%9F%98%80', ';x=1'],
  ...['a;b', '#', '+', ' ', 'ü', '*', '**', ':key', '{key}', '\0', '\ud800', 'constructor', '__proto__', '%255c', '\\'],
);

function segmentOf(fixtureValue: string | undefined, foreign: string | undefined): fc.Arbitrary<string> {
  const knownSegments = [fixtureValue, foreign].filter((value) => value !== undefined).map(encodeText);
  return fc.oneof(
    ...knownSegments.map((value, index) => ({ arbitrary: fc.constant(value), weight: index === 0 ? 12 : 2 })),
    { arbitrary: hostileText.map(encodeText), weight: 3 },
    { arbitrary: segments, weight: 3 },
  );
}

/** A valid part of a body or a query for a schema. Values of the fixture take precedence. */
export function validPart(schema: z.ZodType | undefined, fixtureValue: unknown): fc.Arbitrary<unknown> {
  if (schema === undefined) return fc.constant(fixtureValue);
  const schemaDefinition = jsonSchemaOf(schema, 'input');
  const generated = validValue(rootSchema(schemaDefinition), schemaDefinition.definitions);
  return fc.oneof(
    { arbitrary: fc.constant(fixtureValue ?? {}), weight: 1 },
    {
      arbitrary: generated.map((value) => ({ ...(value as object), ...(fixtureValue as object | undefined) })),
      weight: 1,
    },
    {
      arbitrary: generated.map((value) => ({ ...(fixtureValue as object | undefined), ...(value as object) })),
      weight: 2,
    },
  );
}

/** Cursors of this list, of another list, and invalid cursors. */
export const cursors = fc.oneof(
  fc
    .tuple(
      fc.constantFrom<unknown>('templates', 'sends', 'keys', 'audit', 'suppressions', '__proto__', 7, null),
      fc.constantFrom<unknown>(0, -1, 1.5, 2 ** 53, -(2 ** 53) + 1, 8.64e15 + 1, '1', null, raw('1e999'), raw('-0')),
      fc.oneof(hostileText, fc.constantFrom<unknown>(null, 7, [], {})),
    )
    .map((parts) => Buffer.from(jsonText(parts)).toString('base64url')),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString('base64url')),
  fc.constantFrom('bnVsbA', 'W10', 'e30', '"', 'W1tbXV1d', 'A'.repeat(500), 'A'.repeat(501)),
  hostileText,
);

const rawQueries = fc.constantFrom(
  ...['&&&=', '%', '?', 'a=%ff', 'cursor=%00', '__proto__=1', 'constructor=x', 'limit[]=1', 'limit[$gt]=1', 'limit'],
  ...['limit=1&limit=2', '=', 'limit=%F0%9F', `limit=1${'&limit=1'.repeat(5_000)}`, `x=${'a'.repeat(60_000)}`, '#a'],
);

function textsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return [typeof value === 'string' ? value : jsonText(value)];
}

function queryText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return textsOf(value).map(encodeText).join();
  return Object.entries(value)
    .flatMap(([name, member]) => textsOf(member).map((text) => `${encodeText(name)}=${encodeText(text)}`))
    .join('&');
}

function queries(operation: Operation, fixtureValue: unknown): fc.Arbitrary<string> {
  const { query } = operation.input;
  if (query === undefined)
    return fc.oneof({ arbitrary: fc.constant(''), weight: 9 }, { arbitrary: rawQueries, weight: 1 });
  const withCursor = fc
    .tuple(validPart(query, fixtureValue), cursors)
    .map(([value, cursor]) => ({ ...(value as object), cursor }));
  return fc.oneof(
    { arbitrary: mutate(validPart(query, fixtureValue)).map(queryText), weight: 6 },
    ...('cursor' in query.shape ? [{ arbitrary: withCursor.map(queryText), weight: 3 }] : []),
    { arbitrary: rawQueries, weight: 1 },
  );
}

const contentTypes = fc.constantFrom(
  ...[
    'application/json; charset=utf-7',
    'application/json;charset="',
    'text/plain',
    'application/x-www-form-urlencoded',
  ],
  ...[
    'multipart/form-data; boundary=x',
    '',
    'application/merge-patch+json',
    'APPLICATION/JSON',
    'application/json, text/html',
  ],
);

const sometimes = <T>(arbitrary: fc.Arbitrary<T>, weight = 1): fc.Arbitrary<T | undefined> =>
  fc.oneof({ arbitrary: fc.constant(undefined), weight: 12 }, { arbitrary, weight });

/** Headers in the form in which a host passes them on. Most requests have only the required headers. */
export const headers = fc
  .record({
    'content-type': fc.oneof(
      { arbitrary: fc.constant('application/json'), weight: 40 },
      { arbitrary: contentTypes, weight: 1 },
    ),
    'idempotency-key': fc.oneof(
      { arbitrary: fc.uuid(), weight: 14 },
      { arbitrary: fc.constantFrom('a', 'k'.repeat(200), 'k'.repeat(201), '', ' ', 'a, b'), weight: 1 },
      { arbitrary: hostileText, weight: 1 },
    ),
    'dry-run': sometimes(fc.constantFrom('true', 'TRUE', 'false', '1', 'yes', '', 'true, true', '\0', 'truе'), 2),
    'x-request-id': sometimes(
      fc.oneof(hostileText, fc.constantFrom('req_01JD3Q5S8ZK2M4N6P8R0T2V4W6', 'req_1\r\nX: y')),
    ),
    'user-agent': sometimes(hostileText),
    'content-length': sometimes(fc.constantFrom('-1', '1e9', '99999999999', 'x', '0', '0x10')),
    'x-http-method-override': sometimes(fc.constantFrom('DELETE', 'GET', '__proto__')),
  })
  .map(
    (fixtureValue) =>
      Object.fromEntries(Object.entries(fixtureValue).filter(([, value]) => value !== undefined)) as Record<
        string,
        string
      >,
  );

const brokenBodies: fc.Arbitrary<string | Uint8Array> = fc.oneof(
  fc.uint8Array({ maxLength: 60 }),
  fc.constantFrom<string | Uint8Array>(
    ...[
      '{',
      '{"to":',
      '[',
      '"',
      "{'a':1}",
      '{"a":1,}',
      '{}{}',
      'undefined',
      '\ufeff{}',
      '{"a":"\n"}',
      '/**/{}',
      'null',
      '[]',
      '7',
    ],
    ...[
      '['.repeat(100_000),
      `${'{"a":'.repeat(100_000)}`,
      ' '.repeat(100_000),
      '{"to":"a@b.cc","to":"c@d.ee"}',
      '{"\\u0000":1}',
    ],
    Buffer.from([0xff, 0xfe, 0x7b, 0x00]),
    Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d]),
    Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d]),
  ),
  hostileText,
);

function bodies(operation: Operation, fixtureValue: unknown): fc.Arbitrary<string | Uint8Array | undefined> {
  const valid = validPart(operation.input.body, fixtureValue);
  if (operation.input.body === undefined)
    return fc.oneof(
      { arbitrary: fc.constant(undefined), weight: 8 },
      { arbitrary: mutate(fc.constant({})).map(jsonText), weight: 1 },
    );
  return fc.oneof({ arbitrary: mutate(valid).map(jsonText), weight: 12 }, { arbitrary: brokenBodies, weight: 1 });
}

/** Requests to one operation, almost always with its path and method */
export function requestsTo(operation: Operation, fixture: Fixture): fc.Arbitrary<FuzzRequest> {
  const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  const parts = names.map((name) => segmentOf(fixture.params?.[name], foreignIds(fixture)?.params?.[name]));
  const path = fc
    .tuple(...parts)
    .map((values) =>
      names.reduce((text, name, index) => text.replace(`{${name}}`, () => values[index] ?? ''), operation.path),
    );
  return fc
    .record({
      path,
      query: queries(operation, fixture.query),
      headers,
      body: bodies(operation, fixture.body),
    })
    .map(({ path: chosen, query, headers: fixtureValue, body }) => {
      const url = query === '' ? chosen : `${chosen}?${query}`;
      return body === undefined
        ? { method: operation.method, url, headers: fixtureValue }
        : { method: operation.method, url, headers: fixtureValue, body };
    });
}

/** Paths and methods that almost never match an operation. */
export const strayRequests: fc.Arbitrary<FuzzRequest> = fc.record({
  method: fc.oneof(
    fc.constantFrom(
      'GET',
      'POST',
      'PUT',
      'PATCH',
      'DELETE',
      'HEAD',
      'OPTIONS',
      'TRACE',
      'CONNECT',
      'get',
      '',
      '__proto__',
    ),
    hostileNames,
  ),
  url: fc.oneof(
    fc
      .array(
        fc.oneof(
          segments,
          fc.constantFrom('v1', 'v0', 'templates', 'sends', 'keys', 'send', 'mcp', ''),
          hostileText.map(encodeText),
        ),
        {
          maxLength: 7,
        },
      )
      .map((parts) => `/${parts.join('/')}`),
    fc.constantFrom(
      '',
      '/',
      '*',
      '//',
      '?',
      '/v1',
      '/v1/',
      '/v1/templates/',
      '//v1/keys',
      'http://x/v1/keys',
      '/V1/KEYS',
      '/v1/keys/../keys',
    ),
    fc.constantFrom(
      `/${'a/'.repeat(20_000)}`,
      `/v1/templates/${'a'.repeat(100_000)}`,
      '/v1/openapi.json',
      '/v1/mcp',
      '/v1/openapi.json/x',
    ),
  ),
  headers,
  body: fc.oneof(fc.constant('{}'), brokenBodies),
});

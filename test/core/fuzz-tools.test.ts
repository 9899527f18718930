// time-limit: 300
// Fuzzed JSON-RPC messages on every database, and fuzzed arguments of every tool, each tool on SQLite and on one database server. Every
// response of the MCP endpoint must pass the checks.
// full-run: fuzz
import fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { Fixture } from '../../core/contract/declaration/fixture.ts';
import type { Operation } from '../../core/contract/declaration/operation.ts';
import { flatInput } from '../../core/projections/flat.ts';
import { eachDatabase } from '../support/databases.ts';
import { longTests } from '../support/long-tests.ts';
import { fuzz, fuzzedOn } from './fuzz-run.ts';
import { type FuzzRequest, type FuzzTarget, openTarget } from './fuzz-target.ts';
import { hostileNames, hostileText, hostileValue, jsonText, mutate, validValue } from './fuzz-values.ts';
import { plantedPlugin } from './planted-plugin.ts';
import type { CheckedResponse } from './response-check.ts';

const runsOf = longTests ? { sqlite: 200, postgres: 120, mariadb: 80 } : { sqlite: 60, postgres: 45, mariadb: 40 };

const usually = <T>(usual: T, other: fc.Arbitrary<T>, weight = 12): fc.Arbitrary<T> =>
  fc.oneof({ arbitrary: fc.constant(usual), weight }, { arbitrary: other, weight: 1 });

const headers = fc
  .record({
    'content-type': usually('application/json', fc.constantFrom('text/plain', 'application/json-rpc', '')),
    accept: usually('application/json, text/event-stream', fc.constantFrom('*/*', 'text/event-stream', '', 'x')),
    'mcp-protocol-version': usually<string | undefined>(
      undefined,
      fc.oneof(fc.constantFrom('2025-06-18', '2026-07-28', '2099-01-01', '2024-11-05', '9999', ''), hostileText),
    ),
    'mcp-method': usually<string | undefined>(
      undefined,
      fc.constantFrom('tools/call', 'tools/list', '=?base64?AA==?='),
    ),
    'mcp-name': usually<string | undefined>(
      undefined,
      fc.oneof(fc.constantFrom('read_send', '=?base64?/w==?='), hostileText),
    ),
    'mcp-session-id': usually<string | undefined>(
      undefined,
      fc.oneof(fc.constantFrom('a.b', '.', 'a.b.c', 'YQ.YQ'), hostileText),
    ),
    'idempotency-key': usually<string | undefined>(undefined, hostileText),
    'dry-run': usually<string | undefined>(undefined, fc.constantFrom('true', '1', 'maybe')),
    'user-agent': usually<string | undefined>(undefined, hostileText),
  })
  .map(
    (overrides) =>
      Object.fromEntries(Object.entries(overrides).filter(([, value]) => value !== undefined)) as Record<
        string,
        string
      >,
  );

const urls = usually(
  '/v1/mcp',
  fc.constantFrom('/v1/mcp?templates=compact', '/v1/mcp?toolsets=__proto__,', '/v1/mcp?%00=%ff', '/v1/mcp/'),
);

const ids = fc.oneof(
  { arbitrary: fc.constantFrom<unknown>(1, 'a', 0, -1), weight: 12 },
  { arbitrary: fc.oneof(fc.constantFrom<unknown>(null, 1.5, true, [], {}), hostileValue), weight: 1 },
);

/** The fixture as the arguments of the tool, with some optional arguments generated */
function argumentsOf(operation: Operation, fixture: Fixture): fc.Arbitrary<unknown> {
  const renamedParams = Object.entries(fixture.params ?? {}).map(([name, value]) => [
    operation.rename[name] ?? name,
    value,
  ]);
  const overrides = { ...fixture.query, ...(fixture.body as object | undefined), ...Object.fromEntries(renamedParams) };
  const { schema } = flatInput(operation);
  const generatedValue = validValue(schema, schema.$defs as Record<string, unknown>);
  const endpoint = fc.record(
    {
      idempotency_key: fc.oneof({ arbitrary: fc.uuid(), weight: 9 }, { arbitrary: hostileValue, weight: 1 }),
      dry_run: usually<unknown>(false, fc.oneof(fc.constant(true), hostileValue)),
    },
    { requiredKeys: operation.idempotency === 'replay' ? ['idempotency_key'] : [] },
  );
  const endpointArguments = operation.idempotency === 'read' ? fc.constant({}) : endpoint;
  return fc
    .tuple(
      mutate(
        fc.oneof(
          fc.constant<unknown>(overrides),
          generatedValue.map((value) => ({ ...(value as object), ...overrides })),
        ),
      ),
      endpointArguments,
    )
    .map(([value, extra]) => (typeof value === 'object' && !Array.isArray(value) ? { ...value, ...extra } : value));
}

function post(body: fc.Arbitrary<string>): fc.Arbitrary<FuzzRequest> {
  return fc
    .record({ url: urls, headers, body })
    .map(({ url, headers: overrides, body: text }) => ({ method: 'POST', url, headers: overrides, body: text }));
}

function callsOf(operation: Operation, fixture: Fixture): fc.Arbitrary<FuzzRequest> {
  const meta = usually<unknown>(undefined, fc.oneof(hostileValue, fc.constant({ progressToken: 1 })));
  return post(
    fc.record({ id: ids, args: argumentsOf(operation, fixture), meta }).map(({ id, args, meta: _meta }) => {
      const params = { name: operation.tool?.name, arguments: args, ...(_meta === undefined ? {} : { _meta }) };
      return jsonText({ jsonrpc: '2.0', id, method: 'tools/call', params });
    }),
  );
}

const modern = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
};
const validMessages = fc.constantFrom<unknown>(
  { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { cursor: 'x' } },
  { jsonrpc: '2.0', id: 1, method: 'ping' },
  { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'read_workspace', arguments: {} } },
  { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'read_workspace', arguments: {}, _meta: modern } },
  { jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta: modern } },
  {
    jsonrpc: '2.0',
    id: 'a',
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
  },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  { jsonrpc: '2.0', id: 1, result: {} },
  { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'x' } },
  { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: 'file:///etc/passwd' } },
  { jsonrpc: '2.0', id: 1, method: 'completion/complete' },
);

const messages = post(
  fc.oneof(
    { arbitrary: mutate(validMessages).map(jsonText), weight: 12 },
    {
      arbitrary: fc.oneof(hostileNames, hostileText).map((method) => jsonText({ jsonrpc: '2.0', id: 1, method })),
      weight: 1,
    },
    { arbitrary: fc.constantFrom('', '[', '[{}]', '[]', 'null', '{"jsonrpc":"2.0"', '"x"', '{}'), weight: 1 },
    {
      arbitrary: hostileText.map((name) => jsonText({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } })),
      weight: 1,
    },
  ),
);

/** Returns 200 for a result, 422 for a refused call, and otherwise the HTTP status or the protocol error code. */
function resultOf({ status, json }: CheckedResponse): number {
  if (json?.result !== undefined) return json.result.isError === true ? 422 : 200;
  return json?.error === undefined ? status : json.error.code;
}

await eachDatabase('fuzzed tool calls', (test, database) => {
  let target: FuzzTarget;
  test.before(async () => {
    target = await openTarget(database);
    // Modules that are loaded at their first use must not count as time of a call.
    await target.ask({ method: 'POST', url: '/v1/mcp', headers: { 'content-type': 'application/json' }, body: '{}' });
  });
  test.after(() => target.close());

  test('every response of every tool passes the checks', async () => {
    const { tools } = target.test.service.core.registry;
    for (const operation of fuzzedOn(database.name, [...tools.values()])) {
      const fixture = await operation.fixture(target.kit);
      const { finding, statuses } = await fuzz(target, callsOf(operation, fixture), runsOf[database.name], {
        status: resultOf,
      });
      assert.is(finding, undefined, `${operation.tool?.name}: ${finding}`);
      assert.ok((statuses.get(200) ?? 0) > 0, `${operation.tool?.name} accepted no call`);
      assert.ok((statuses.get(422) ?? 0) > 0, `${operation.tool?.name} refused no call`);
    }
  });

  test('every response to any message passes the checks', async () => {
    const { finding, statuses } = await fuzz(target, messages, runsOf[database.name] * 6, { status: resultOf });
    assert.is(finding, undefined, finding);
    assert.ok((statuses.get(200) ?? 0) > 0 && (statuses.get(-32600) ?? 0) > 0 && (statuses.get(202) ?? 0) > 0);
    await target.test.drain();
    console.log(`# ${target.requestCount} fuzzed messages on ${database.name}`);
  });

  test('the run finds faults that are planted in tools', async () => {
    const faultyTarget = await openTarget(database, { plugins: [plantedPlugin()] });
    for (const [tool, word] of Object.entries({
      label_thing: 'TypeError',
      read_thing: 'RangeError',
      list_things: 'breaks its own',
    })) {
      const operation = faultyTarget.test.service.core.registry.tools.get(tool);
      assert.ok(operation !== undefined);
      const calls = callsOf(operation, await operation.fixture(faultyTarget.kit));
      const { finding } = await fuzz(faultyTarget, calls, 400);
      assert.ok(finding?.includes('internal_error') && finding.includes(word), `${tool}: ${finding}`);
    }
    await faultyTarget.close();
  });
});

// time-limit: 300
// Every operation with every scope alone: what the scope does not allow is refused over REST and as a tool, in the same
// words, is not listed, and leaves no row.
// full-run: slow
import * as assert from 'uvu/assert';
import type { Fixture } from '../../core/contract/fixture.ts';
import type { Operation } from '../../core/contract/operation.ts';
import { oneDatabase } from '../support/databases.ts';
import { type Bench, openBench } from './attack-bench.ts';
import { askRest, callTool } from './attack-doors.ts';
import { changesOf, rowsOf } from './table-rows.ts';

/** Operations whose handler asks for more scopes than they declare. */
const asksForMore: ReadonlySet<string> = new Set([
  'approvals.withdraw',
  'pages.submissions',
  'sequences.publish',
  'sequences.resume',
  'social.post_create',
  'social_events.trigger',
]);

await oneDatabase('scopes alone', (test, database) => {
  let bench: Bench;
  const keys = new Map<string, string>();
  let template: string;
  const registry = () => bench.test.service.core.registry;
  const isAllowed = (operation: Operation, scope: string): boolean =>
    operation.anyKey || operation.scopes.some((needed) => registry().scopes.expand([scope]).has(needed));

  test.before(async () => {
    bench = await openBench(database);
    // Published before the calls with every scope: one of them sets a policy that holds templates.
    template = await bench.publish({ variables: { type: 'object' } });
    for (const { scope } of registry().scopes.declarations) keys.set(scope, await bench.test.keyWith([scope]));
  });
  test.after(() => bench.close());

  /** Through every door with a key of the scope alone; no answer has a fault. */
  const askBoth = async (operation: Operation, fixture: Fixture, scope: string) => {
    const key = keys.get(scope) ?? '';
    const rest = await askRest(bench, operation, fixture, { key });
    const tool = operation.tool && (await callTool(bench, operation, fixture, { key }));
    assert.equal([...rest.faults, ...(tool?.faults ?? [])], [], `${operation.id} with ${scope}`);
    return { rest, tool };
  };

  test('a scope that does not hold is 403 everywhere, and one that does is not', async () => {
    const fixtures: [Operation, Fixture][] = [];
    for (const operation of registry().operations.values())
      fixtures.push([operation, await operation.fixture(bench.kit)]);
    let refused = 0;
    const before = await rowsOf(bench.test);
    for (const [operation, fixture] of fixtures) {
      for (const scope of [...keys.keys()].filter((one) => !isAllowed(operation, one))) {
        const { rest, tool } = await askBoth(operation, fixture, scope);
        refused += 1;
        assert.is(rest.status, 403, `${operation.id} with ${scope}: ${rest.text}`);
        assert.is(rest.json.error.code, 'insufficient_scope');
        assert.ok(
          operation.scopes.every((needed) => rest.json.error.message.includes(needed)),
          rest.text,
        );
        // Each door names the other call as its own callers know it: by path, or as a tool.
        const blank = (text: string) =>
          text
            .replaceAll(/req_[0-9A-Z]{26}/g, 'REQ')
            .replace(/: (?:[A-Z]+ \/v1\/\S+?|[a-z]+(?:_[a-z]+)+)\.(?=")/, ': CALL.');
        const answer = tool === undefined ? rest.text : JSON.stringify(tool.json.result?.structuredContent);
        assert.is(blank(answer), blank(rest.text), `${operation.id} with ${scope}`);
      }
    }
    assert.equal(changesOf(before, await rowsOf(bench.test)), [], 'a refused call left a row');
    for (const [operation, fixture] of fixtures)
      for (const scope of [...keys.keys()].filter((one) => isAllowed(operation, one))) {
        const { rest } = await askBoth(operation, fixture, scope);
        if (asksForMore.has(operation.id) && rest.json.error?.code === 'insufficient_scope') continue;
        assert.is.not(rest.status, 403, `${operation.id} with ${scope}: ${rest.text}`);
      }
    console.log(`# ${refused} pairs of an operation and a scope refused on ${database.name}`);
    assert.ok(refused > 100);
  });

  test('tools/list shows what the scope allows and nothing else', async () => {
    for (const [scope, key] of keys) {
      const { json } = await bench.post('/v1/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, { key });
      const allowed = [...registry().tools.values()].filter((operation) => isAllowed(operation, scope));
      assert.equal(
        json.result.tools.map(({ name }: { name: string }) => name).sort(),
        allowed.map(({ tool }) => tool?.name).sort(),
      );
    }
  });

  test('a key that only reads cannot send, and one that only sends cannot write, by name', async () => {
    const reads = [
      'sends:read',
      'templates:read',
      'messaging.transactional.read',
      'suppressions:read',
      'audit:read',
      'keys:read',
    ];
    for (const scope of reads.filter((one) => keys.has(one))) {
      const expanded = registry().scopes.expand([scope]);
      for (const strong of ['templates:send', 'templates:write', 'suppressions:write', 'suppressions:bypass'])
        assert.not.ok(expanded.has(strong), `${scope} holds ${strong}`);
    }
    assert.not.ok(registry().scopes.expand(['templates:send']).has('templates:write'));
  });

  test('a flag that needs a scope of its own is refused without it, over both doors', async () => {
    const key = keys.get('templates:send') ?? '';
    const before = await rowsOf(bench.test);
    const body = { to: 'a@example.org', variables: {}, bypassSuppression: true };
    const rest = await bench.post(`/v1/templates/${template}/send`, body, { key });
    const tool = await bench.tool('send_transactional', { ...body, template, idempotency_key: 'bypass' }, { key });
    for (const error of [rest.json.error, tool.json.result.structuredContent.error]) {
      assert.is(error.code, 'insufficient_scope');
      assert.ok(error.message.includes('suppressions:bypass'));
    }
    assert.is(await rowsOf(bench.test), before);
  });
});

// time-limit: 300
// Every operation with every single scope. If the scope does not allow the operation, REST and the tool refuse it in the same words, the
// tool is not listed, and no row is written.
// full-run: slow
import * as assert from 'uvu/assert';
import type { Fixture } from '../../core/contract/declaration/fixture.ts';
import type { Operation } from '../../core/contract/declaration/operation.ts';
import { oneDatabase } from '../support/databases.ts';
import { type AttackBench, openBench } from './attack-bench.ts';
import { askRest, callTool } from './attack-interfaces.ts';
import { changesOf, rowsOf } from './table-rows.ts';

/** Operations whose handler requires more scopes than they declare. */
const needsMoreScopes: ReadonlySet<string> = new Set([
  'approvals.withdraw',
  'pages.submissions',
  'segments.contacts',
  'segments.explain',
  'sequences.publish',
  'sequences.resume',
  'social.post_create',
  'social_events.trigger',
]);

await oneDatabase('scopes alone', (test, database) => {
  let bench: AttackBench;
  const keys = new Map<string, string>();
  let template: string;
  const registry = () => bench.test.service.core.registry;
  const isAllowed = (operation: Operation, scope: string): boolean =>
    operation.anyKey || operation.scopes.some((needed) => registry().scopes.expand([scope]).has(needed));

  test.before(async () => {
    bench = await openBench(database);
    // The template is published before the calls, because one of the calls sets a policy that holds the publishing of templates.
    template = await bench.publish({ variables: { type: 'object' } });
    for (const { scope } of registry().scopes.declarations) keys.set(scope, await bench.test.keyWith([scope]));
  });
  test.after(() => bench.close());

  /** Calls REST and the tool with a key that has only this scope. Asserts that no response has a fault. */
  const askBoth = async (operation: Operation, fixture: Fixture, scope: string) => {
    const key = keys.get(scope) ?? '';
    const restAnswer = await askRest(bench, operation, fixture, { key });
    const tool = operation.tool && (await callTool(bench, operation, fixture, { key }));
    assert.equal([...restAnswer.faults, ...(tool?.faults ?? [])], [], `${operation.id} with ${scope}`);
    return { rest: restAnswer, tool };
  };

  test('an operation gets 403 without a sufficient scope, over REST and with its tool, and no 403 with it', async () => {
    const fixtures: [Operation, Fixture][] = [];
    for (const operation of registry().operations.values())
      fixtures.push([operation, await operation.fixture(bench.kit)]);
    let refusalCount = 0;
    const before = await rowsOf(bench.test);
    for (const [operation, fixture] of fixtures) {
      for (const scope of [...keys.keys()].filter((one) => !isAllowed(operation, one))) {
        const { rest, tool } = await askBoth(operation, fixture, scope);
        refusalCount += 1;
        assert.is(rest.status, 403, `${operation.id} with ${scope}: ${rest.text}`);
        assert.is(rest.json.error.code, 'insufficient_scope');
        assert.ok(
          operation.scopes.every((needed) => rest.json.error.message.includes(needed)),
          rest.text,
        );
        // REST names the other call by its path, and a tool by its tool name.
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
        if (needsMoreScopes.has(operation.id) && rest.json.error?.code === 'insufficient_scope') continue;
        assert.is.not(rest.status, 403, `${operation.id} with ${scope}: ${rest.text}`);
      }
    console.log(`# ${refusalCount} pairs of an operation and a scope refused on ${database.name}`);
    assert.ok(refusalCount > 100);
  });

  test('tools/list shows exactly the tools that the scope allows', async () => {
    for (const [scope, key] of keys) {
      const { json } = await bench.post('/v1/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, { key });
      const allowedTools = [...registry().tools.values()].filter((operation) => isAllowed(operation, scope));
      assert.equal(
        json.result.tools.map(({ name }: { name: string }) => name).sort(),
        allowedTools.map(({ tool }) => tool?.name).sort(),
      );
    }
  });

  test('read scopes do not include sending or writing, and templates:send does not include templates:write', async () => {
    const reads = [
      'sends:read',
      'templates:read',
      'messaging.transactional.read',
      'suppressions:read',
      'audit:read',
      'keys:read',
    ];
    for (const scope of reads.filter((one) => keys.has(one))) {
      const implied = registry().scopes.expand([scope]);
      for (const strong of ['templates:send', 'templates:write', 'suppressions:write', 'suppressions:bypass'])
        assert.not.ok(implied.has(strong), `${scope} holds ${strong}`);
    }
    assert.not.ok(registry().scopes.expand(['templates:send']).has('templates:write'));
  });

  test('a flag with its own scope is refused without it, over REST and with the tool', async () => {
    const key = keys.get('templates:send') ?? '';
    const before = await rowsOf(bench.test);
    const body = { to: 'a@example.org', variables: {}, bypassSuppression: true };
    const restAnswer = await bench.post(`/v1/templates/${template}/send`, body, { key });
    const tool = await bench.tool('send_transactional', { ...body, template, idempotency_key: 'bypass' }, { key });
    for (const error of [restAnswer.json.error, tool.json.result.structuredContent.error]) {
      assert.is(error.code, 'insufficient_scope');
      assert.ok(error.message.includes('suppressions:bypass'));
    }
    assert.is(await rowsOf(bench.test), before);
  });
});

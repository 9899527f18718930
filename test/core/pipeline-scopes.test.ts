// Scopes over REST and with tools: which operations each single scope allows, and which it does not.
// full-run: slow
import * as assert from 'uvu/assert';
import type { Operation } from '../../core/contract/declaration/operation.ts';
import { callInProcess } from '../../core/kernel/in-process.ts';
import { twoDatabases } from '../support/databases.ts';
import { noRateLimits } from '../support/mail-bench.ts';
import { openShop, type ShopService } from './shop-service.ts';

/** The scopes that each scope must imply, as a list that is not computed */
const impliedScopes: Readonly<Record<string, readonly string[]>> = {
  'workspace:read': [],
  'keys:read': [],
  'keys:manage': ['keys:read'],
  'audit:read': [],
  'jobs:read': [],
  'jobs:manage': ['jobs:read'],
  'assets:read': [],
  'assets:write': ['assets:read'],
  'brand:read': [],
  'brand:write': ['brand:read'],
  'marketing:read': [],
  'marketing:write': ['marketing:read'],
  'campaigns:read': [],
  'campaigns:write': ['campaigns:read'],
  'social:posts:read': [],
  'social:posts:write': ['social:posts:read'],
  'social:posts:publish': ['social:posts:write', 'social:posts:read'],
  'connectors:read': [],
  'domains:verify': [],
  'templates:read': [],
  'templates:write': ['templates:read'],
  'templates:send': ['templates:read', 'sends:read'],
  'templates:propose': ['templates:read'],
  'messaging.transactional.read': [],
  'messaging.transactional.send': ['messaging.transactional.read'],
  'topics:read': [],
  'topics:write': ['topics:read'],
  'broadcasts:read': [],
  'broadcasts:write': ['broadcasts:read'],
  'broadcasts:send': ['broadcasts:read'],
  'suppressions:read': [],
  'suppressions:write': ['suppressions:read'],
  'suppressions:bypass': ['suppressions:read'],
  'sends:read': [],
  'contacts:read': [],
  'contacts:write': ['contacts:read'],
  'contacts:erase': ['contacts:read'],
  'contacts:export': ['contacts:read'],
  'lists:read': [],
  'lists:write': ['lists:read'],
  'events:write': [],
  'webhooks:manage': [],
  'links:read': [],
  'links:write': ['links:read'],
  'approvals:read': [],
  'approvals:submit': ['approvals:read'],
  'approvals:write': ['approvals:read'],
  'sequences:read': [],
  'sequences:write': ['sequences:read'],
  'sequences:trigger': ['sequences:read'],
  'flows:enroll': [],
  'pages:read': [],
  'pages:write': ['pages:read'],
  'pages:publish': ['pages:read'],
  'pages:export': ['pages:read'],
  'compositions:read': [],
  'compositions:write': ['compositions:read'],
  'shop:read': [],
  'shop:write': ['shop:read'],
};

await twoDatabases('scopes', (test, database) => {
  let shop: ShopService;
  let operations: Operation[] = [];
  test.before(async () => {
    shop = await openShop(database, { plans: { pro: noRateLimits } });
    operations = [...shop.service.core.registry.operations.values()];
  });
  test.after(() => shop.close());

  /** Sends a request that no schema accepts: with the scope it gets an error of the schema, without it an error for the missing scope. */
  const isOpen = async (operation: Operation, key: string): Promise<boolean> => {
    const path = operation.path.replace(/\{\w+\}/g, 'missing');
    const { status, body } = await shop.request(`${path}?surprise=1`, { method: operation.method, key });
    if (status === 403) {
      assert.equal([body.error.type, body.error.code], ['permission_error', 'insufficient_scope']);
      for (const scope of operation.scopes) assert.match(body.error.message, scope);
      return false;
    }
    assert.is(body.error.code, 'validation_failed', `${operation.id}: ${JSON.stringify(body)}`);
    return true;
  };
  const isOpenAsTool = async (operation: Operation, key: string): Promise<boolean> => {
    const params = { name: operation.tool?.name, arguments: { surprise: 1 } };
    const { status, body } = await shop.request('/v1/mcp', {
      key,
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    });
    assert.is(status, 200);
    const { code } = body.result.structuredContent.error;
    assert.ok(['validation_failed', 'insufficient_scope'].includes(code), `${operation.id}: ${code}`);
    return code === 'validation_failed';
  };

  test('the table lists every declared scope', () => {
    assert.equal(Object.keys(impliedScopes).sort(), shop.service.core.registry.scopes.preset('full').sort());
  });

  for (const [scope, others] of Object.entries(impliedScopes)) {
    test(`${scope} alone opens ${others.length === 0 ? 'nothing else' : others.join(' and ')}, over REST and with a tool`, async () => {
      const key = await shop.keyWith([scope]);
      const heldScopes = new Set([scope, ...others]);
      for (const operation of operations) {
        const expected = operation.scopes.length === 0 || operation.scopes.some((needed) => heldScopes.has(needed));
        assert.is(await isOpen(operation, key), expected, operation.id);
        if (operation.tool !== undefined)
          assert.is(await isOpenAsTool(operation, key), expected, `${operation.id} with its tool`);
      }
    });

    test(`all scopes without ${scope} allow every operation that does not need it`, async () => {
      const key = await shop.keyWith(Object.keys(impliedScopes).filter((one) => one !== scope));
      const stillHeld = Object.entries(impliedScopes).some(
        ([holder, implied]) => holder !== scope && implied.includes(scope),
      );
      for (const operation of operations) {
        const needsIt = operation.scopes.length === 1 && operation.scopes[0] === scope;
        assert.is(await isOpen(operation, key), !needsIt || stillHeld, operation.id);
      }
    });
  }

  test('a call in process has every scope', async () => {
    for (const operation of operations) {
      let code = '';
      await callInProcess(shop.service.core, operation, shop.workspaceId, {}, { surprise: 1 }, {}).catch(
        (error: unknown) => {
          code = (error as { code: string }).code;
        },
      );
      assert.is(code, 'validation_failed', operation.id);
    }
  });
});

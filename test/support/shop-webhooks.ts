// A service with webhooks and the events of a shop, some of them only for higher plans. No server listens at the subscribed URL. For
// the tests of operations on webhooks.
import * as assert from 'uvu/assert';
import { defineEvent, definePlugin, z } from '../../core/index.ts';
import type { TestRequest, TestResponse, TestService } from '../../hosts/testing/test-service.ts';
import { auditPlugin } from '../../plugins/audit/index.ts';
import { webhooksPlugin } from '../../plugins/webhooks/index.ts';
import type { TestDatabase } from './databases.ts';
import { noRateLimits } from './mail-bench.ts';
import { migratedTestService } from './migrated-tables.ts';

export const shopUrl = 'http://127.0.0.1:65530/webhooks';

const shopEvent = (name: string, minimumTier = 0) => {
  const type = `shop.${name}`;
  return defineEvent({ type, description: name, data: z.object({ name: z.string() }), example: { name }, minimumTier });
};

/** A family with three events, one of them only for higher plans, and a family only for higher plans. */
const shopPlugin = () =>
  definePlugin({
    id: 'shop',
    events: [
      shopEvent('opened'),
      shopEvent('order.placed'),
      shopEvent('audited', 3),
      { ...shopEvent('x', 3), type: 'vault.opened' },
    ],
  });

/** A service under test, and the usual requests. */
export interface ShopBench extends TestService<'webhooks' | 'audit' | 'shop'> {
  /** Every line that was logged. */
  readonly logged: string[];
  /** Sends a POST unless `request` names another method, with a new Idempotency-Key. */
  post(path: string, body?: unknown, request?: TestRequest): Promise<TestResponse>;
  /** POST /v1/webhooks for shop.opened unless `body` names other events. */
  create(body?: object): Promise<TestResponse>;
  /** The same request, which must succeed. Returns its answer. */
  created(body?: object): Promise<TestResponse['body']>;
  patch(id: string, body: object): Promise<TestResponse>;
}

/** Opens a bench on fresh tables of the database. */
export async function openShopBench(database: TestDatabase): Promise<ShopBench> {
  const loggedLines: string[] = [];
  const log = (fields: Record<string, unknown>, message: string) =>
    void loggedLines.push(message + JSON.stringify(fields));
  const test = await migratedTestService(database, {
    plugins: [webhooksPlugin(), auditPlugin(), shopPlugin()],
    logger: { debug: log, info: log, warn: log, error: log },
    plans: { pro: noRateLimits },
  });
  let calls = 0;
  const bench: ShopBench = {
    ...test,
    logged: loggedLines,
    post(path, body, request = {}) {
      calls += 1;
      const headers = { 'idempotency-key': `call-${calls}` };
      return test.request(path, { method: 'POST', body, headers, ...request });
    },
    create: (body = {}) => bench.post('/v1/webhooks', { url: shopUrl, events: ['shop.opened'], ...body }),
    async created(body) {
      const answer = await bench.create(body);
      assert.is(answer.status, 201, JSON.stringify(answer.body));
      return answer.body;
    },
    patch: (id, body) => bench.post(`/v1/webhooks/${id}`, body, { method: 'PATCH' }),
  };
  return bench;
}

/** The status, the error code, and the path of the first detail. */
export const refusal = ({ status, body }: TestResponse) => [status, body.error?.code, body.error?.details?.[0]?.path];

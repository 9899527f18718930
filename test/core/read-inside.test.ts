// A read that runs while the idempotency key is looked up: the handler gets its result or its error, in the same transaction. For a
// replay the read is not used.
import * as assert from 'uvu/assert';
import { z } from 'zod';
import { defineOperation } from '../../core/contract/declaration/operation.ts';
import { definePlugin } from '../../core/contract/declaration/plugin.ts';
import { defineScopes } from '../../core/contract/declaration/scopes.ts';
import { createTestService } from '../../hosts/testing/test-service.ts';
import { eachDatabase } from '../support/databases.ts';

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** The result of each read, and whether the next reads fail */
const readings = { found: [] as string[], fail: false };

const look = defineOperation({
  id: 'desk.look',
  summary: 'Look at the workspace',
  http: 'POST /v1/looks',
  scopes: ['desk:write'],
  idempotency: 'replay',
  audit: { action: 'desk.look', target: () => ({ kind: 'desk', id: 'desk' }) },
  input: { body: z.object({ awaits: z.boolean() }) },
  output: z.object({ seen: z.string() }),
  fixture: async () => ({ body: { awaits: true } }),
  async prefetch({ trx }) {
    const row = await trx.db
      .selectFrom('workspaces')
      .select('name')
      .where('id', '=', trx.workspaceId)
      .executeTakeFirstOrThrow();
    if (readings.fail) throw new Error('the reading failed');
    readings.found.push(row.name);
    return row.name;
  },
  handler: async (_, { body: { awaits } }, __, reading) => ({ seen: awaits ? await reading : 'nothing' }),
});

const desk = definePlugin({
  id: 'desk',
  scopes: defineScopes([{ scope: 'desk:write', description: 'Work at the desk' }]),
  operations: [look],
});

await eachDatabase('reads before an operation', (test, database) => {
  test('the handler gets the result, and a replay does not change', async () => {
    Object.assign(readings, { found: [], fail: false });
    const bench = await createTestService({
      plugins: [desk],
      storage: database.createStorage(),
      tablePrefix: database.newPrefix(),
      logger: quiet,
    });
    try {
      const headers = { authorization: `Bearer ${bench.liveKey}`, 'content-type': 'application/json' };
      const call = async (key: string, awaits: boolean) => {
        const answer = await bench.service.dispatch({
          method: 'POST',
          url: '/v1/looks',
          headers: { ...headers, 'idempotency-key': key },
          body: JSON.stringify({ awaits }),
          address: '127.0.0.1',
        });
        return { status: answer.status, body: String(answer.body) };
      };
      const first = await call('k1', true);
      assert.is(first.status, 200, first.body);
      assert.equal(JSON.parse(first.body), { seen: readings.found[0] });
      readings.fail = true;
      assert.equal(await call('k1', true), first, 'a replay does not fail with the error of the read');
      assert.is((await call('k2', true)).status, 500, 'the handler gets the error');
      assert.is((await call('k3', false)).status, 200, 'a handler that does not await the read works without it');
      readings.fail = false;
      assert.is((await call('k2', true)).status, 200, 'nothing was stored for the key of the failed call');
      const both = await Promise.all([call('k4', true), call('k4', true)]);
      assert.ok(both.every(({ status }) => status === 200 || status === 409));
      assert.ok(both.some(({ status }) => status === 200));
    } finally {
      await bench.close();
    }
  });
});

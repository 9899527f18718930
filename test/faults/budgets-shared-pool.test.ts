// Transactions of the program that use every connection of a pool and send under a budget, on PostgreSQL. If the service shares the
// pool, all sends but one are refused, and the log names the remedy. With its own pool, as the log suggests, no send is refused.
// full-run: slow
import pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { postgresStorage } from '../../adapters/storage/postgres.ts';
import type { OpenTransaction } from '../../core/index.ts';
import { createTestService } from '../../hosts/testing/index.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { dropSchema, hasPostgres, newSchema, postgresUrl } from '../support/postgres-server.ts';

const test = suite("a budget and the program's pool");
const connections = 3;
const noop = (): void => undefined;

/** Sends in transactions that use all connections of the program's pool. Returns the refusals and their causes in the log. */
async function sendOnAllConnections(
  sharesPool: boolean,
): Promise<{ readonly refusals: string[]; readonly causes: string[] }> {
  const schema = newSchema();
  const pool = new pg.Pool({ connectionString: postgresUrl, max: connections });
  const servicePool = sharesPool ? pool : new pg.Pool({ connectionString: postgresUrl, max: connections });
  const causes: string[] = [];
  const error = (fields: { cause?: unknown }): void => void causes.push(String(fields.cause));
  const logger = { debug: noop, info: noop, warn: noop, error };
  const kit = await createTestService({
    plugins: standardPlugins,
    storage: postgresStorage({ pool: servicePool, schema }),
    logger,
  });
  try {
    const { templates, email } = kit.service.as(kit.workspaceId);
    await templates.create({ key: 'booked', mode: 'html', subject: 'Thank you', body: '<p>Thank you.</p>' });
    await templates.publish({ key: 'booked' });
    const clients = await Promise.all(Array.from({ length: connections }, () => pool.connect()));
    await Promise.all(clients.map((client) => client.query('begin')));
    const send = (trx: OpenTransaction) =>
      email.send({ template: 'booked', to: 'ada@example.com', variables: {} }, { trx });
    const results = await Promise.allSettled(clients.map(send));
    await Promise.all(clients.map((client) => client.query('commit')));
    for (const client of clients) client.release();
    const refusals = results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []));
    return { refusals, causes };
  } finally {
    await kit.close();
    await pool.end();
    if (!sharesPool) await servicePool.end();
    await dropSchema(schema);
  }
}

if (await hasPostgres()) {
  test('if the service shares the pool, the log names the remedy', async () => {
    const { refusals, causes } = await sendOnAllConnections(true);
    assert.is(refusals.length, connections - 1);
    for (const refusal of refusals) assert.match(refusal, /The database is busy/);
    assert.match(causes.join('\n'), /give the service a pool of its own/);
  });

  test('if the service has its own pool, no send is refused', async () => {
    assert.equal(await sendOnAllConnections(false), { refusals: [], causes: [] });
  });
}

test.run();

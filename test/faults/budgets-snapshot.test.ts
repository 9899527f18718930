// A budget on PostgreSQL, counted in a transaction of the program whose snapshot is older than the counts of others. The program's
// transactions use every connection of the pool, so that no lease is available and each call counts in its transaction.
// full-run: slow
import pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { postgresStorage } from '../../adapters/storage/postgres.ts';
import { createTestService } from '../../hosts/testing/index.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { dropSchema, hasPostgres, newSchema, postgresUrl } from '../support/postgres-server.ts';

const test = suite("a budget and the program's snapshot");
const noop = (): void => undefined;
const logger = { debug: noop, info: noop, warn: noop, error: noop };

/** The outcome of a send in `early` after two sends in a later transaction have used up the budget, and the count afterwards. */
async function sendLate(isolation: string): Promise<{ readonly outcome: string; readonly used: number }> {
  const schema = newSchema();
  const pool = new pg.Pool({ connectionString: postgresUrl, max: 2 });
  const storage = postgresStorage({ pool, schema });
  const kit = await createTestService({ plugins: standardPlugins, storage, logger });
  try {
    const { id } = await kit.service.workspaces.create({
      name: 'Orders',
      defaultFrom: { email: 'hello@example.com', name: 'Orders' },
      figures: { monthlySendBudget: 2 },
    });
    const { templates, email, workspace } = kit.service.as(id);
    await templates.create({ key: 'booked', mode: 'html', subject: 'Thank you', body: '<p>Thank you.</p>' });
    await templates.publish({ key: 'booked' });
    const [early, late] = [await pool.connect(), await pool.connect()];
    const send = (trx: pg.PoolClient) =>
      email.send({ template: 'booked', to: 'ada@example.com', variables: {} }, { trx }).then(
        () => 'sent',
        ({ code }: { code: string }) => code,
      );
    await early.query(`begin isolation level ${isolation}`);
    await early.query('select count(*) from pg_class');
    await late.query('begin');
    assert.equal([await send(late), await send(late)], ['sent', 'sent']);
    await late.query('commit');
    const result = await send(early);
    await early.query('commit');
    early.release();
    late.release();
    return { outcome: result, used: (await workspace.read()).usage.sends_this_month };
  } finally {
    await kit.close();
    await pool.end();
    await dropSchema(schema);
  }
}

if (await hasPostgres()) {
  for (const isolation of ['repeatable read', 'serializable'])
    test(`at ${isolation}, a call that cannot see the counts of others is refused`, async () => {
      assert.equal(await sendLate(isolation), { outcome: 'service_unavailable', used: 2 });
    });

  test('at read committed, a call sees the counts of others', async () => {
    assert.equal(await sendLate('read committed'), { outcome: 'send_budget_exhausted', used: 2 });
  });
}

test.run();

// Postgres storage under a role that only runs the program: which privileges it needs, and the errors if they are missing.
import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { captureMail } from '../../adapters/mail/capture.ts';
import { postgresStorage } from '../../adapters/storage/postgres.ts';
import { createService } from '../../core/index.ts';
import type { Database } from '../../core/storage/database.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { dropSchema, hasPostgres, newSchema, postgresUrl, queryOnOwnConnection } from '../support/postgres-server.ts';
import { statisticsOf } from '../support/table-statistics.ts';

const test = suite('postgres storage: rights');

/** The reason of a refusal; undefined if the work succeeds. */
const refusal = (work: Promise<unknown>): Promise<string | undefined> =>
  work.then(
    () => undefined,
    (error: unknown) => String(error),
  );

if (await hasPostgres()) {
  test('a role that runs the program needs only row privileges, and the error names missing privileges', async () => {
    const schema = newSchema();
    const role = `${schema}_run`;
    const password = randomBytes(8).toString('hex');
    await queryOnOwnConnection(`create role ${role} login password '${password}'`);
    const url = new URL(postgresUrl);
    [url.username, url.password] = [role, password];
    const services: { stop(): Promise<void> }[] = [];
    const serviceOf = (connectionString: string) => {
      const storage = postgresStorage({ connectionString, schema, maxConnections: 2 });
      const service = createService({ plugins: standardPlugins, storage, mail: captureMail() });
      services.push(service);
      return service;
    };
    const asRole = () => serviceOf(url.href);
    try {
      const missing = `The schema ${schema} does not exist, and this role may not create it. Run postrider migrate as a role that may.`;
      assert.match((await refusal(asRole().migrationStatus())) ?? '', missing);
      await serviceOf(postgresUrl).migrate();
      assert.match(
        (await refusal(asRole().migrationStatus())) ?? '',
        `The role ${role} may not use the schema ${schema}. As its owner run: grant usage on schema ${schema} to "${role}"`,
      );
      await queryOnOwnConnection(`grant usage on schema ${schema} to ${role}`);
      assert.match((await refusal(asRole().migrationStatus())) ?? '', /refuses this role: permission denied for table/);
      assert.match((await refusal(asRole().start())) ?? '', /refuses this role: permission denied for table/);
      await queryOnOwnConnection(`grant select, insert, update, delete on all tables in schema ${schema} to ${role}`);
      const owner = new URL(postgresUrl).username;
      await queryOnOwnConnection(
        `alter default privileges for role ${owner} in schema ${schema} grant select, insert, update, delete on tables to ${role}`,
      );
      await queryOnOwnConnection(`create table ${schema}.later (id integer)`);
      const { rows } = await queryOnOwnConnection(
        `select has_table_privilege('${role}', '${schema}.later', 'insert') as may`,
      );
      assert.equal(rows, [{ may: true }], 'tables of a later migration also get the privileges');
      for (const table of ['postrider_grown', '"Mail_grown"'])
        await queryOnOwnConnection(`create table ${schema}.${table} as select * from generate_series(1, 1000)`);
      const updatedBy = async (program: { readonly core: { database(): Promise<Database> } }, prefix: string) =>
        statisticsOf({ ...(await program.core.database()), prefix }, ['grown']).update();
      assert.equal(await updatedBy(asRole(), 'postrider_'), [], 'only the owner of a table may update its statistics');
      const updated = await updatedBy(serviceOf(postgresUrl), 'postrider_');
      assert.match(updated.join(), /^(suite_\w+\.)?postrider_grown$/);
      assert.match((await updatedBy(serviceOf(postgresUrl), 'Mail_')).join(), /^(suite_\w+\.)?"Mail_grown"$/);
      const service = asRole();
      assert.equal(await service.migrate(), [], 'nothing is missing, so no privilege is needed');
      await service.start();
      const defaultFrom = { email: 'a@acme.example', name: 'Acme' };
      assert.ok((await service.workspaces.create({ name: 'Acme', defaultFrom })).id);
    } finally {
      for (const service of services) await service.stop();
      await dropSchema(schema);
      await queryOnOwnConnection(`drop role ${role}`);
    }
  });
}

test.run();

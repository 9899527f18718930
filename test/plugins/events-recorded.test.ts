// The names of recorded custom events, each with its last time. The time is right however many contacts and newer events there are, and
// no statement reads more rows because of them.
import * as assert from 'uvu/assert';
import { eachDatabase } from '../support/databases.ts';
import { fillStatement } from '../support/filled-tables.ts';
import { type MailBench, openMailBench } from '../support/mail-bench.ts';
import { recordStatements } from '../support/recorded-statements.ts';
import { findWideReads } from '../support/wide-reads.ts';

const day = 86_400_000;

await eachDatabase('the recorded custom events', (test, testDatabase) => {
  let bench: MailBench;
  const { storage, statements } = recordStatements(testDatabase.createStorage());
  test.before(async () => {
    bench = await openMailBench({ ...testDatabase, createStorage: () => storage });
  });
  test.after(() => bench.close());

  test('the last time of an event is right if 5,000 contacts have the event and 5,000 events of another name are newer', async () => {
    const { service, workspaceId } = bench;
    const calls = service.as(workspaceId);
    const { events } = calls;
    await events.emit({ type: 'signed.up', contact: { external_id: 'one' } });
    bench.advanceClock(day);
    await events.emit({ type: 'signed.up', contact: { external_id: 'two' } });
    const last = bench.now();
    bench.advanceClock(day);
    await events.emit({ type: 'seen', contact: { external_id: 'two' } });
    const database = await service.core.database();
    const migrations = service.core.registry.migrations.flatMap((owner) => owner.migrations);
    const runSql = (sql: string) => database.driver.transact((connection) => connection.query({ sql, parameters: [] }));
    const isNewer = (newer: string, older: string) => `case n % 2 when 0 then ${newer} else ${older} end`;
    const expressions = {
      type: isNewer(`'seen'`, `'signed.up'`),
      first_at: 'source.first_at - n',
      last_at: isNewer(`${bench.now()} - n`, `${last} - n`),
    };
    await runSql(fillStatement(database, migrations, { table: 'contact_activity', rows: 10_000, expressions }));
    const analyze = { postgres: 'analyze', mysql: 'analyze table', sqlite: undefined }[database.adapter.dialect];
    if (analyze !== undefined) await runSql(`${analyze} ${database.prefix}contact_activity`);

    statements.clear();
    const { types } = await events.recorded();
    assert.equal(types, [
      { type: 'seen', contacts: 1_000, contactsAreMore: true, lastAt: new Date(bench.now()).toISOString() },
      { type: 'signed.up', contacts: 1_000, contactsAreMore: true, lastAt: new Date(last).toISOString() },
    ]);
    const executed = new Map([...statements].filter(([sql]) => sql.includes('contact_activity')));
    assert.is(executed.size, 3, 'the statements read the first name, the next name, and the contacts of a name');
    assert.equal(await findWideReads(database, executed, []), []);
    const sandbox = service.as(workspaceId, { sandbox: true });
    assert.equal((await sandbox.events.recorded()).types, []);
  });
});

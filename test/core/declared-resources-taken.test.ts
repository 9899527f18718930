// Unique values of declared resources: the error names the row that has the value, in transactions of the service and of the program, and
// if two transactions give the same value at the same time.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { isPostriderError } from '../../core/contract/errors/errors.ts';
import { createTestService, type TestService } from '../../hosts/testing/test-service.ts';
import { eachDatabase } from '../support/databases.ts';
import { joinedServers, type StartedTransaction } from '../support/joined-bench.ts';
import { harbourPlugin } from './harbour-plugin.ts';

type Kit = TestService<'harbours'>;
const callsOf = ({ service, workspaceId }: Kit) => service.as(workspaceId).harbours;

/** The code and the message of the error, or the result */
const outcomeOf = <T>(call: Promise<T>): Promise<T | string> =>
  call.catch((error: unknown) => {
    if (!isPostriderError(error)) throw error;
    return `${error.code}: ${error.message}`;
  });
const takenMessage = (name: string, id: string): string =>
  `harbour_name_taken: The harbour ${id} has the name ${name}.`;

// This comes before the first suite, because an await between suites would run them at the same time.
const servers = await joinedServers();

await eachDatabase('unique values of declared resources', (test, database) => {
  let kit: Kit;
  test.before.each(async () => {
    const storage = database.createStorage();
    kit = await createTestService({ plugins: [harbourPlugin()], storage, tablePrefix: database.newPrefix() });
  });
  test.after.each(() => kit.close());

  test('if another row has the value, creating and renaming report this row, but a row may keep its own value', async () => {
    const calls = callsOf(kit);
    const { harbour_id: kiel } = await calls.create({ harbour_name: 'Kiel' });
    const { harbour_id: oslo } = await calls.create({ harbour_name: 'Oslo' });
    assert.is(await outcomeOf(calls.create({ harbour_name: 'Kiel' })), takenMessage('Kiel', kiel));
    assert.is(await outcomeOf(calls.update({ harbour_id: oslo, harbour_name: 'Kiel' })), takenMessage('Kiel', kiel));
    assert.is((await calls.update({ harbour_id: kiel, harbour_name: 'Kiel' })).version, 2);
    assert.is((await calls.read({ harbour_id: oslo })).harbour_name, 'Oslo');
  });

  test('of several simultaneous calls, one gets the value, and the others report its row', async () => {
    const calls = callsOf(kit);
    const results = await Promise.all([1, 2, 3].map(() => outcomeOf(calls.create({ harbour_name: 'Kiel' }))));
    const [created] = results.flatMap((result) => (typeof result === 'string' ? [] : [result.harbour_id]));
    const refusals = results.filter((result) => typeof result === 'string');
    assert.equal(refusals, [takenMessage('Kiel', created ?? ''), takenMessage('Kiel', created ?? '')]);
  });
});

/** Creates and renames in one transaction of the program, which continues after each refusal. */
async function refuseInside(kit: Kit, { trx, end }: StartedTransaction): Promise<void> {
  const calls = callsOf(kit);
  const { harbour_id: kiel } = await calls.create({ harbour_name: 'Kiel' }, { trx });
  const { harbour_id: oslo } = await calls.create({ harbour_name: 'Oslo' }, { trx });
  assert.is(await outcomeOf(calls.create({ harbour_name: 'Kiel' }, { trx })), takenMessage('Kiel', kiel));
  assert.is(
    await outcomeOf(calls.update({ harbour_id: oslo, harbour_name: 'Kiel' }, { trx })),
    takenMessage('Kiel', kiel),
  );
  await calls.update({ harbour_id: oslo, harbour_name: 'Bergen' }, { trx });
  await end('commit');
  const { data } = await calls.list();
  assert.equal(data.map((one) => one.harbour_name).sort(), ['Bergen', 'Kiel']);
}

const onSqlite = suite('unique values in a transaction of the program on sqlite');

onSqlite('a refusal leaves the transaction usable', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-taken-'));
  const filename = join(folder, 'app.sqlite');
  const kit = await createTestService({ plugins: [harbourPlugin()], storage: sqliteStorage({ filename }) });
  const trx = new Database(filename);
  trx.exec('begin immediate');
  await refuseInside(kit, { trx, query: async (sql) => trx.exec(sql), end: async (how) => void trx.exec(how) });
  trx.close();
  await kit.close();
  await rm(folder, { recursive: true });
});

onSqlite.run();

for (const server of servers) {
  const { name, database, begin, waiting = () => setTimeout(300), remove } = server;
  const suiteOnServer = suite(`unique values in transactions of the program on ${name}`);
  let kit: Kit;
  suiteOnServer.before.each(async () => {
    const storage = database.createStorage();
    kit = await createTestService({ plugins: [harbourPlugin()], storage, tablePrefix: database.newPrefix() });
  });
  suiteOnServer.after.each(() => kit.close());

  suiteOnServer('a refusal leaves the transaction usable', async () => {
    await refuseInside(kit, await begin());
  });

  /** Gives the name `Kiel` in two open transactions. The first ends while the second waits for it. */
  async function race(
    give: (trx: object, first: boolean) => Promise<{ harbour_id: string }>,
    how: 'commit' | 'rollback',
  ) {
    const [first, second] = [await begin(), await begin()];
    // A read fixes the snapshot of a repeatable read.
    await callsOf(kit).list({}, { trx: second.trx });
    const { harbour_id: winner } = await give(first.trx, true);
    const secondOutcome = outcomeOf(give(second.trx, false));
    await waiting(1);
    await first.end(how);
    return { winner, late: await secondOutcome, second };
  }

  suiteOnServer('if two transactions create the same name, the second reports the row of the first', async () => {
    const give = (trx: object) => callsOf(kit).create({ harbour_name: 'Kiel' }, { trx });
    const { winner, late, second } = await race(give, 'commit');
    assert.is(late, takenMessage('Kiel', winner));
    await callsOf(kit).create({ harbour_name: 'Bergen' }, { trx: second.trx });
    await second.end('commit');
    assert.is((await callsOf(kit).list()).data.length, 2);
  });

  suiteOnServer('if the first transaction is rolled back, the second gets the name', async () => {
    const give = (trx: object) => callsOf(kit).create({ harbour_name: 'Kiel' }, { trx });
    const { late, second } = await race(give, 'rollback');
    assert.type(late, 'object');
    await second.end('commit');
    assert.is((await callsOf(kit).list()).data.length, 1);
  });

  suiteOnServer('if two transactions rename to the same name, the second reports the row of the first', async () => {
    const ids = [];
    for (const harbour_name of ['Oslo', 'Bergen']) ids.push((await callsOf(kit).create({ harbour_name })).harbour_id);
    const [oslo = '', bergen = ''] = ids;
    const give = (trx: object, first: boolean) =>
      callsOf(kit).update({ harbour_id: first ? oslo : bergen, harbour_name: 'Kiel' }, { trx });
    const { late, second } = await race(give, 'commit');
    assert.is(late, takenMessage('Kiel', oslo));
    await second.end('commit');
    assert.is((await callsOf(kit).read({ harbour_id: bergen })).harbour_name, 'Bergen');
  });

  if (name === 'postgres') {
    suiteOnServer(
      'if its snapshot is older than the other row, a transaction gets state_conflict, whose message says to try again',
      async () => {
        const second = await begin();
        await second.query('set transaction isolation level repeatable read');
        await callsOf(kit).list({}, { trx: second.trx });
        await callsOf(kit).create({ harbour_name: 'Kiel' });
        const outcome = await outcomeOf(callsOf(kit).create({ harbour_name: 'Kiel' }, { trx: second.trx }));
        assert.match(String(outcome), /^state_conflict: Another request changed the same thing/);
        await second.end('rollback');
      },
    );
  }

  suiteOnServer.after(remove);
  suiteOnServer.run();
}

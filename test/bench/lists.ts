/*
 * Workload: 10,000 contacts join a list in one call, and a page of 100 of its members, through the whole pipeline, in process.
 * The floor of each is hand-written SQL for the same rows in the same database: one transaction with multi-row inserts, and
 * one joined select. `npx tsx test/bench/lists.ts [--storage sqlite|postgres] [--rounds 5]`
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { localKeyring } from '../../adapters/keyring/local.ts';
import { captureMail } from '../../adapters/mail/capture.ts';
import { postgresStorage } from '../../adapters/storage/postgres.ts';
import { sqliteStorage } from '../../adapters/storage/sqlite.ts';
import { createService } from '../../core/index.ts';
import { unscoped } from '../../core/storage/scope.ts';
import { subscribeToAllEvents } from '../../hosts/testing/subscribe-to-all-events.ts';
import { standardPlugins } from '../../plugins/index.ts';
import { dropSchema, newSchema, postgresUrl } from '../support/postgres-server.ts';
import { dataFolder } from './contestant-process.ts';

const { values } = parseArgs({
  options: { storage: { type: 'string', default: 'sqlite' }, rounds: { type: 'string', default: '5' } },
  strict: false,
});
const onSqlite = values.storage === 'sqlite';
const rounds = Number(values.rounds);
const members = 10_000;
const folder = mkdtempSync(join(dataFolder, 'lists-'));
const schema = newSchema();

const service = createService({
  plugins: standardPlugins,
  storage: onSqlite
    ? sqliteStorage({ filename: join(folder, 'lists.db') })
    : postgresStorage({ connectionString: postgresUrl, schema }),
  mail: captureMail(),
  keyring: localKeyring({ keys: [{ id: 'bench', secret: 'a secret for the bench, 32 bytes' }] }),
});
await service.migrate();
const workspace = await service.workspaces.create({
  name: 'Bench',
  defaultFrom: { email: 'hello@example.com', name: 'Bench' },
});
const { lists } = service.as(workspace.id);
const database = await service.core.database();
const { ids } = service.core.ports;
const everywhere = unscoped('the bench writes its own rows');

const contactIds = Array.from({ length: members }, () => ids.create('con'));
await database.transact(async (scope) => {
  const { db } = scope.handle(everywhere);
  const sharedColumns = {
    workspace_id: workspace.id,
    sandbox: 0,
    address_as_given: null,
    attributes: '{}',
    created_at: 1,
    updated_at: 1,
  };
  for (let from = 0; from < members; from += 1_000)
    await db
      .insertInto('contacts')
      .values(
        contactIds.slice(from, from + 1_000).map((id, index) => ({
          ...sharedColumns,
          id,
          external_id: `u${from + index}`,
          email: `u${from + index}@example.org`,
        })),
      )
      .execute();
});

const newList = async (name: string): Promise<string> => (await lists.create({ name })).listId;

/** The minimum that a program would write by hand: members in multi-row inserts, and the count. */
async function addByHand(listId: string): Promise<void> {
  await database.transact(async (scope) => {
    const { db } = scope.handle(everywhere);
    const sharedColumns = {
      workspace_id: workspace.id,
      sandbox: 0,
      list_id: listId,
      consent_note: null,
      added_at: 1,
      confirmed_at: 1,
    } as const;
    for (let from = 0; from < members; from += 1_000)
      await db
        .insertInto('list_members')
        .values(
          contactIds
            .slice(from, from + 1_000)
            .map((id) => ({ ...sharedColumns, contact_id: id, status: 'confirmed' as const, source: 'api' as const })),
        )
        .execute();
    const counts = { workspace_id: workspace.id, sandbox: 0, list_id: listId, confirmed: members, unconfirmed: 0 };
    await db.insertInto('list_counts').values(counts).execute();
  });
}

const readByHand = (listId: string) =>
  database.read(everywhere, ({ db }) =>
    db
      .selectFrom('list_members')
      .innerJoin('contacts', 'contacts.id', 'list_members.contact_id')
      .select(['contact_id', 'email', 'external_id', 'status', 'source', 'added_at', 'confirmed_at'])
      .where('list_members.workspace_id', '=', workspace.id)
      .where('list_members.sandbox', '=', 0)
      .where('list_id', '=', listId)
      .orderBy('added_at', 'desc')
      .orderBy('contact_id', 'desc')
      .limit(101)
      .execute(),
  );

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

const results = new Map<string, number[]>();
const recordTime = (name: string, ms: number) => void results.set(name, [...(results.get(name) ?? []), ms]);
let last = '';

async function runRound(number: number, suffix: string): Promise<void> {
  last = await newList(`Ours ${suffix} ${number}`);
  recordTime(`add ${members}${suffix}`, await timeOf(() => lists.membersAdd({ listId: last, contactIds })));
  assert.equal((await lists.read({ listId: last })).contactCount, members);
}

for (let number = 0; number < rounds; number += 1) {
  await runRound(number, '');
  const floor = await newList(`Floor ${number}`);
  recordTime(`add ${members}, by hand`, await timeOf(() => addByHand(floor)));
  recordTime(`add ${members} again`, await timeOf(() => lists.membersAdd({ listId: last, contactIds })));
  const pages = 50;
  recordTime(
    'page of 100',
    (await timeOf(async () => {
      for (let page = 0; page < pages; page += 1)
        assert.equal((await lists.members({ listId: last, limit: 100 })).data.length, 100);
    })) / pages,
  );
  recordTime(
    'page of 100, by hand',
    (await timeOf(async () => {
      for (let page = 0; page < pages; page += 1) assert.equal((await readByHand(floor)).length, 101);
    })) / pages,
  );
  recordTime(`remove ${members}`, await timeOf(() => lists.membersRemove({ listId: last, contactIds })));
}
// If a consumer wants the events, every event is a row of the transaction.
await subscribeToAllEvents(service, workspace.id);
for (let number = 0; number < rounds; number += 1) await runRound(number, ', events wanted');

const table = [...results].map(([work, times]) => {
  const sortedTimes = [...times].sort((a, b) => a - b);
  return {
    work,
    'ms, least': Number(sortedTimes[0]?.toFixed(2)),
    'ms, median': Number(sortedTimes[Math.floor(sortedTimes.length / 2)]?.toFixed(2)),
  };
});
console.table(table);
console.log(JSON.stringify({ storage: values.storage, rounds, table }));
await service.stop();
if (!onSqlite) await dropSchema(schema);
rmSync(folder, { recursive: true, force: true });

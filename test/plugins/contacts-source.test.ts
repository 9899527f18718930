// A source of contacts: the program keeps its users in its own table, and jobs of the service request them as contacts. Even if the
// source fails or never answers, no call waits for it and no contact is lost.
// full-run: slow
import * as assert from 'uvu/assert';
import { createTestService, type TestService } from '../../hosts/testing/test-service.ts';
import { type ContactSource, contactsPlugin, type SourceContact } from '../../plugins/contacts/index.ts';
import { twoDatabases } from '../support/databases.ts';
import { bareStandardPlugins } from '../support/plugins.ts';

type Standard = TestService<(typeof bareStandardPlugins)[number]['id']>;

interface User {
  readonly id: string;
  readonly mail: string | null;
  readonly plan: string;
  readonly version: number;
}

await twoDatabases('a source of contacts', (test, database) => {
  let bench: Standard;
  let logLines: string[];
  let requests: string[][];
  let cursors: (string | null)[];
  /** Each entry replaces one call of the source. */
  let faults: (() => Promise<never>)[];
  let users: string;

  const run = async (sql: string, parameters: unknown[] = []): Promise<readonly Record<string, unknown>[]> => {
    const { driver, adapter } = await bench.service.core.database();
    let last = 0;
    const number = (): number => {
      last += 1;
      return last;
    };
    const marked = adapter.dialect === 'postgres' ? sql.replaceAll('?', () => `$${number()}`) : sql;
    return driver.transact(async (connection) => (await connection.query({ sql: marked, parameters })).rows);
  };
  const read = async (sql: string, parameters: unknown[]): Promise<User[]> => {
    const rows = await run(sql, parameters);
    return rows.map(({ id, mail, plan, version }) => ({
      id: String(id),
      mail: mail === null ? null : String(mail),
      plan: String(plan),
      version: Number(version),
    }));
  };
  const toContact = ({ id, mail, plan }: User): SourceContact => ({
    external_id: id,
    ...(mail === null ? {} : { email: mail }),
    attributes: { plan },
  });
  const misbehave = async (): Promise<void> => {
    await faults.shift()?.();
  };
  const source: ContactSource = {
    async read(_, externalIds) {
      requests.push([...externalIds]);
      await misbehave();
      const marks = externalIds.map(() => '?').join(', ');
      return (await read(`select * from ${users} where id in (${marks})`, [...externalIds])).map(toContact);
    },
    async changes(_, cursor) {
      cursors.push(cursor);
      await misbehave();
      const found = await read(`select * from ${users} where version > ? order by version limit 3`, [
        Number(cursor ?? 0),
      ]);
      const page = found.slice(0, 2);
      return {
        contacts: page.map(toContact),
        cursor: String(page.at(-1)?.version ?? cursor ?? 0),
        more: found.length > 2,
      };
    },
  };

  const open = async (source: ContactSource): Promise<Standard> => {
    logLines = [];
    requests = [];
    cursors = [];
    faults = [];
    const log = (fields: Record<string, unknown>, message: string) =>
      void logLines.push(`${message} ${JSON.stringify(fields)}`);
    const created = await createTestService({
      plugins: bareStandardPlugins.map((plugin) =>
        plugin.id === 'contacts' ? contactsPlugin({ source: source, sourceTimeoutMs: 200 }) : plugin,
      ),
      storage: database.createStorage(),
      tablePrefix: database.newPrefix(),
      logger: { debug: () => undefined, info: () => undefined, warn: log, error: log },
    });
    return created;
  };
  const withUsers = async (source: ContactSource): Promise<void> => {
    bench = await open(source);
    const { prefix } = await bench.service.core.database();
    users = `app_users_${prefix}`;
    await run(
      `create table ${users} (id varchar(40) primary key, mail varchar(100), plan varchar(20), version integer)`,
    );
  };
  const add = (id: string, mail: string | null, plan: string, version: number) =>
    run(`insert into ${users} (id, mail, plan, version) values (?, ?, ?, ?)`, [id, mail, plan, version]);
  const contacts = () => bench.service.as(bench.workspaceId).contacts;
  const find = async (external_id: string) => (await contacts().list({ external_id })).data[0];
  const emit = (external_id: string) =>
    bench.service.as(bench.workspaceId).events.emit({ type: 'signed.in', contact: { external_id } });
  const { changes: _, ...reading } = source;

  test.after.each(async () => {
    await run(`drop table ${users}`);
    await bench.close();
  });

  test('the program is asked for live contacts, but never for sandbox contacts', async () => {
    await withUsers(source);
    await add('u1', 'one@example.org', 'pro', 1);
    const sandbox = bench.service.as(bench.workspaceId, { sandbox: true });
    const tried = await sandbox.contacts.upsert({ external_id: 'u1', attributes: { plan: 'tried' } });
    await bench.drain();
    assert.equal(requests, []);
    bench.advanceClock(600_000);
    await bench.drain();
    assert.equal((await find('u1'))?.attributes, { plan: 'pro' }, 'changes of the program reach only the live side');
    assert.equal((await sandbox.contacts.read({ contactId: tried.id })).attributes, { plan: 'tried' });
  });

  test('an unknown external id becomes a contact at once, and the data of the program is added later', async () => {
    await withUsers(reading);
    await add('u1', 'Ada@Example.org', 'pro', 1);
    const { contact } = await emit('u1');
    assert.equal([contact.external_id, contact.email, requests], ['u1', null, []]);
    await bench.drain();
    const found = await find('u1');
    assert.equal([found?.id, found?.email, found?.attributes], [contact.id, 'ada@example.org', { plan: 'pro' }]);
    assert.equal((await bench.events('contact.updated')).at(-1), found);
    await emit('u1');
    await contacts().upsert({ external_id: 'u1', attributes: { own: true } });
    await bench.drain();
    assert.equal(requests, [['u1']], 'a contact was requested twice');
    assert.equal((await find('u1'))?.attributes, { plan: 'pro', own: true });
    await emit('nobody');
    await contacts().upsert({ email: 'only@example.org' });
    await bench.drain();
    assert.equal(requests, [['u1'], ['nobody']]);
    assert.is((await find('nobody'))?.email, null);
    assert.equal(await bench.service.jobs.list(), []);
  });

  test('if the source fails or never answers, nothing is lost', async () => {
    await withUsers(reading);
    await add('u1', 'ada@example.org', 'pro', 1);
    faults = [() => Promise.reject(new Error('the program is unavailable')), () => new Promise<never>(() => undefined)];
    await emit('u1');
    await bench.drain();
    assert.is((await find('u1'))?.email, null);
    bench.advanceClock(60_000);
    await bench.drain();
    const [waiting] = await bench.service.jobs.list({ state: 'waiting', kind: 'contacts.fill' });
    assert.match(String(waiting?.reason), 'did not answer within 200 ms');
    bench.advanceClock(3_600_000);
    await bench.drain();
    assert.is((await find('u1'))?.email, 'ada@example.org');
    assert.is(requests.length, 3);
  });

  test('a contact that was erased meanwhile is not created again', async () => {
    await withUsers(reading);
    await add('u1', 'ada@example.org', 'pro', 1);
    let erasing = Promise.resolve();
    const { contact } = await emit('u1');
    faults = [
      () => {
        erasing = contacts()
          .delete({ contactId: contact.id })
          .then(() => undefined);
        return erasing as Promise<never>;
      },
    ];
    await bench.drain();
    await erasing;
    assert.is(requests.length, 1);
    assert.equal((await contacts().list({})).data, []);
  });

  test('an invalid answer of the program is logged and not stored', async () => {
    await withUsers(reading);
    await add('u1', 'no address', 'pro', 1);
    await emit('u1');
    await bench.drain();
    assert.equal((await find('u1'))?.attributes, {});
    assert.match(logLines.join('\n'), 'returned a contact that cannot be stored');
    assert.not.match(logLines.join('\n'), 'no address"');
  });

  test('a contact with too many attributes is logged, and is not requested again', async () => {
    const attributes = Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`secret_${index}`, 1]));
    const tooMany = async (ids: readonly string[]): Promise<SourceContact[]> =>
      ids.map((external_id) => ({ external_id, attributes }));
    await withUsers({
      read: async (_, ids) => tooMany(ids),
      changes: async (_, cursor) => ({
        contacts: cursor === null ? await tooMany(['u2']) : [],
        cursor: '1',
        more: false,
      }),
    });
    await emit('u1');
    await bench.drain();
    assert.equal([await bench.service.jobs.list(), (await find('u1'))?.attributes], [[], {}]);
    const warnings = () => logLines.filter((line) => line.includes('returned a contact that cannot be stored')).length;
    assert.is(warnings(), 1);
    bench.advanceClock(300_000);
    await bench.drain();
    // The two new warnings are about u2 in each of the two workspaces.
    assert.is(warnings(), 3);
    assert.not.match(logLines.join('\n'), 'secret_');
  });

  /** Advances the clock to the next run of the schedule. */
  const nextSlot = async (): Promise<void> => {
    bench.advanceClock(300_000);
    await bench.drain();
  };

  test('changes are pulled page by page, and the cursor is stored', async () => {
    await withUsers(source);
    for (const n of [1, 2, 3, 4, 5]) await add(`u${n}`, `u${n}@example.org`, 'free', n);
    await bench.drain();
    await nextSlot();
    const emails = async () => (await contacts().list({})).data.map(({ email }) => email).sort();
    assert.equal(
      await emails(),
      [1, 2, 3, 4, 5].map((n) => `u${n}@example.org`),
    );
    // The other workspace has its own cursor.
    assert.equal(cursors.filter((cursor) => cursor === null).length, 2);
    assert.equal([...new Set(cursors)], [null, '2', '4']);
    cursors = [];
    await run(`update ${users} set plan = 'pro', version = 6 where id = 'u2'`);
    await nextSlot();
    assert.equal((await find('u2'))?.attributes, { plan: 'pro' });
    assert.ok(cursors.includes('5'));
    assert.is(cursors.includes(null), false);
    assert.equal(requests, [], 'a contact on a page must not be requested');
  });

  test('a page that fails is requested again from the same cursor', async () => {
    await withUsers(source);
    await bench.service.workspaces.suspend(bench.foreignWorkspaceId);
    for (const n of [1, 2, 3]) await add(`u${n}`, `u${n}@example.org`, 'free', n);
    const unavailable = () => Promise.reject(new Error('the program is unavailable'));
    faults = [unavailable];
    await bench.drain();
    await nextSlot();
    assert.equal([cursors, (await contacts().list({})).data], [[null], []]);
    assert.match(logLines.join('\n'), 'the source of contacts failed; it is asked again');
    faults = [() => new Promise<never>(() => undefined)];
    await nextSlot();
    await nextSlot();
    assert.equal(cursors, [null, null, null, '2']);
    assert.is((await contacts().list({})).data.length, 3);
    assert.equal(await bench.service.jobs.list(), []);
  });
});

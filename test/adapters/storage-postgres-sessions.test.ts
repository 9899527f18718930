// Postgres databases and roles that would alter values or have no schema for tables are refused by name as soon as the storage is
// opened. Harmless settings are accepted.
// full-run: slow
import { randomBytes } from 'node:crypto';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { kyselyStorage } from '../../adapters/storage/kysely.ts';
import { postgresStorage } from '../../adapters/storage/postgres.ts';
import { hasPostgres, postgresUrl } from '../support/postgres-server.ts';

const test = suite('databases and roles of Postgres');
const plain = (sql: string, ...parameters: unknown[]) => ({ sql, parameters });

async function asOwner(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  await client.query(text);
  await client.end();
}

/** A database with settings that every session in it gets. */
async function withDatabase(
  make: string,
  settings: readonly string[],
  work: (url: string) => Promise<void>,
): Promise<void> {
  const name = `session_${randomBytes(6).toString('hex')}`;
  const url = new URL(postgresUrl);
  url.pathname = `/${name}`;
  await asOwner(`create database ${name} ${make}`);
  try {
    for (const setting of settings) await asOwner(`alter database ${name} set ${setting}`);
    await work(url.href);
  } finally {
    await asOwner(`drop database ${name} with (force)`);
  }
}

/** Opens the database in each way. Returns the result of each. */
async function openings(url: string): Promise<string[]> {
  const pool = new pg.Pool({ connectionString: url });
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  const results: string[] = [];
  for (const storage of [postgresStorage({ connectionString: url }), postgresStorage({ pool }), kyselyStorage(db)])
    results.push(
      await storage.open().then(
        async (driver) => {
          await driver.transact((own) =>
            own.query(plain('create table if not exists notes (id int, text text, raw bytea)')),
          );
          await driver.transact((own) =>
            own.query(plain('insert into notes values (1, $1, $2)', '\\ İ😀', Buffer.from([0, 92]))),
          );
          const { rows } = await driver.read((own) => own.query(plain('select text, raw from notes')));
          assert.equal([rows[0]?.['text'], rows[0]?.['raw']], ['\\ İ😀', Buffer.from([0, 92])]);
          await driver.close();
          return 'opened';
        },
        (error: Error) => error.message,
      ),
    );
  await db.destroy();
  return results;
}

const utf8 = "encoding 'UTF8' template template0";
const refusedSettings: readonly (readonly [string, string, readonly string[], RegExp])[] = [
  ['LATIN1', "encoding 'LATIN1' locale 'C' template template0", [], /its encoding is LATIN1/],
  ['SQL_ASCII', "encoding 'SQL_ASCII' locale 'C' template template0", [], /its encoding is SQL_ASCII/],
  [
    'a search_path without a schema',
    utf8,
    ['search_path = nowhere, "$user"'],
    /search_path \(nowhere, "\$user"\) does not contain a schema that exists/,
  ],
  ['an empty search_path', utf8, ["search_path = ''"], /does not contain a schema that exists/],
  ['bytea_output', utf8, ['bytea_output = escape'], /bytea_output is escape/],
  ['read only transactions', utf8, ['default_transaction_read_only = on'], /default_transaction_read_only is on/],
];

if (await hasPostgres()) {
  for (const [title, make, settings, named] of refusedSettings)
    test(`the storage refuses at once, and by name: ${title}`, () =>
      withDatabase(make, settings, async (url) => {
        const startedAt = performance.now();
        for (const results of await openings(url)) assert.match(results, named);
        assert.ok(performance.now() - startedAt < 10_000);
      }));

  test('the storage accepts harmless settings', () =>
    withDatabase(
      utf8,
      [
        'standard_conforming_strings = off',
        "DateStyle = 'German, DMY'",
        "default_transaction_isolation = 'serializable'",
        "TimeZone = 'Asia/Kathmandu'",
        "IntervalStyle = 'iso_8601'",
        'extra_float_digits = -5',
        "client_encoding = 'LATIN1'",
        'search_path = nowhere, public',
      ],
      async (url) => assert.equal(await openings(url), ['opened', 'opened', 'opened']),
    ));

  test('the storage opens if the schema is named, although the search_path leads to no schema', () =>
    withDatabase(utf8, ['search_path = nowhere'], async (url) => {
      const storage = await postgresStorage({ connectionString: url, schema: 'postrider' }).open();
      await storage.close();
    }));
}
test.run();

// Writes that PostgreSQL gets as one statement: upserts of the same row never share a statement, however their target is written.
import pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { groupWrites, mergeWrites } from '../../adapters/storage/postgres-batch.ts';
import type { SqlStatement } from '../../core/contract/ports/storage.ts';
import { hasPostgres, postgresUrl } from '../support/postgres-server.ts';

const test = suite('merged writes of PostgreSQL');

const insert = 'insert into waiting_rows ("tenant", "key", "note") values';
const update = 'do update set "note" = excluded."note"';
/** Upserts of the row [tenant, key] in forms that the product or a plugin may write. */
const forms: Readonly<Record<string, string>> = {
  'the whole index': `${insert} ($1, $2, $3) on conflict ("tenant", "key") where "key" is not null ${update}`,
  'a predicate with parentheses and text': `${insert} ($1, $2, $3) on conflict ("tenant", "key")\n  where ("key" is not null and "key" <> ' do update ') ${update}`,
  'capital letters': `INSERT INTO waiting_rows ("tenant", "key", "note") VALUES ($1, $2, $3) ON CONFLICT ("tenant", "key") WHERE "key" IS NOT NULL DO UPDATE SET "note" = excluded."note"`,
  'an expression among the values': `${insert} ($1, coalesce($2, ''), $3) on conflict ("tenant", "key") where "key" is not null ${update}`,
  'a selection': `insert into waiting_rows ("tenant", "key", "note") select $1, $2, $3 on conflict ("tenant", "key") where "key" is not null ${update}`,
};

const keys = ['a', 'İstanbul', '日本', 'a', "it's", '日本', '👩‍👩‍👧', 'a'];

for (const [name, sql] of (await hasPostgres()) ? Object.entries(forms) : []) {
  test(`upserts of one row are sent separately, with ${name}`, async () => {
    const statements: SqlStatement[] = keys.map((key, index) => ({ sql, parameters: ['ws_1', key, String(index)] }));
    const client = new pg.Client(postgresUrl);
    await client.connect();
    try {
      await client.query('create temp table waiting_rows (tenant text, key text, note text)');
      await client.query(
        `create unique index waiting_row on waiting_rows (tenant, key) where key is not null${name.includes('text') ? " and key <> ' do update '" : ''}`,
      );
      const groups = groupWrites(statements);
      assert.ok(
        groups.length < statements.length || !sql.includes('values ($1, $2'),
        'upserts of other rows are sent together',
      );
      for (const group of groups) {
        const { sql: text, parameters } =
          group.length === 1 ? (group[0] as SqlStatement) : mergeWrites(group).statement;
        await client.query(text, [...parameters]);
      }
      const { rows } = await client.query('select key, note from waiting_rows order by note');
      assert.equal(
        rows,
        [...new Map(keys.map((key, index) => [key, String(index)]))]
          .map(([key, note]) => ({ key, note }))
          .sort((one, other) => Number(one.note) - Number(other.note)),
      );
    } finally {
      await client.end();
    }
  });
}

test.run();

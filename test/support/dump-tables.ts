// The contents of the tables of a service, for tests that check that data was removed
import type { MailBench } from './mail-bench.ts';

type Tables = Pick<MailBench['service'], 'core'>;

/** Every row of every table as text; binary values are unchanged */
export async function dumpTables({ core }: Tables): Promise<(readonly [string, string])[]> {
  const { driver, prefix } = await core.database();
  return Promise.all(
    [...core.registry.tables.keys()].map(async (table) => {
      const sql = `select * from ${prefix}${table}`;
      const { rows } = await driver.read((connection) => connection.query({ sql, parameters: [] }));
      const cells = rows.flatMap((row) => Object.values(row));
      const texts = cells.map((cell) =>
        cell instanceof Uint8Array ? Buffer.from(cell).toString('latin1') : String(cell),
      );
      return [table, texts.join('\n')] as const;
    }),
  );
}

/** The tables that contain a text. */
export async function tablesWith(service: Tables, pattern: RegExp): Promise<string[]> {
  return (await dumpTables(service)).flatMap(([table, text]) => (pattern.test(text) ? [table] : []));
}

// Fills tables of the samples with many copies of a row that a page of the console shows. For tests and benches of pages of long lists.
import type { SqlValue } from '../../core/contract/ports/storage.ts';
import type { openSamples } from './console-samples.ts';
import { fillExpressions, fillStatement } from './filled-tables.ts';

type Samples = Awaited<ReturnType<typeof openSamples>>;

/** The settings for filling a table. */
export interface SampleFilling {
  readonly table: string;
  readonly rows: number;
  /** Expressions of columns, in addition to those of the table. (Default: none) */
  readonly expressions?: Readonly<Record<string, string>>;
}

/** Copies the row of the table that contains the most ids from the paths in `found`. Returns false if the table is empty. */
export async function fillSamples(
  { service }: Pick<Samples, 'service'>,
  found: ReadonlyMap<string, string>,
  { table, rows, expressions = {} }: SampleFilling,
): Promise<boolean> {
  const { core } = service;
  const database = await core.database();
  const { prefix, driver, adapter } = database;
  const query = async (sql: string, parameters: readonly SqlValue[] = []) =>
    (await driver.transact((connection) => connection.query({ sql, parameters }))).rows;
  const migrations = core.registry.migrations.flatMap((owner) => owner.migrations);
  const changes = migrations.flatMap((migration) => migration.changes);
  const created = changes.flatMap((change) => ('create' in change && change.create === table ? [change] : []));
  const shownIds = new Set([...found.values()].flatMap((path) => path.split('/')));
  const weight = (row: Record<string, unknown>) =>
    Object.values(row).filter((value) => typeof value === 'string' && shownIds.has(value)).length;
  const present = await query(`select * from ${prefix}${table}`);
  const [source] = [...present].sort((one, other) => weight(other) - weight(one));
  if (source === undefined) return false;
  const quote = adapter.dialect === 'mysql' ? '`' : '"';
  const isSource = (created[0]?.primaryKey ?? []).map((name) => `${quote}${name}${quote} = '${String(source[name])}'`);
  await query(`create table ${prefix}kept_${table} as select * from ${prefix}${table} where ${isSource.join(' and ')}`);
  const all = { ...fillExpressions[table], ...expressions };
  await query(fillStatement(database, migrations, { table, rows, expressions: all, from: `kept_${table}` }));
  const analyze = { postgres: 'analyze', mysql: 'analyze table', sqlite: undefined }[adapter.dialect];
  if (analyze !== undefined) await query(`${analyze} ${prefix}${table}`);
  return true;
}

// Lets a database explain statements on filled tables, and finds statements that read more rows the larger the tables are.
// PostgreSQL runs each statement in a transaction that is rolled back, and its rows are counted, with the plan for its values and with
// the generic plan. SQLite and MariaDB only show their plans.
import pg from 'pg';
import type { SqlConnection, SqlStatement } from '../../core/contract/ports/storage.ts';
import type { Database } from '../../core/storage/database.ts';
import type { RecordedStatements } from './recorded-statements.ts';

/** A statement that reads too much, and why. */
export interface WideRead {
  readonly sql: string;
  readonly reason: string;
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** The maximum number of rows of one table that a statement may read: a few batches of the largest kind. */
export const maxRows = 1_600;

const isExplained = (sql: string): boolean =>
  /^(select|with|update|delete)\b/i.test(sql) && !/pg_|set_config/.test(sql);

/** Thrown to roll back the transaction of an explained statement. */
class RollbackSignal extends Error {}

async function withRollback<T>(database: Database, work: (connection: SqlConnection) => Promise<T>): Promise<T> {
  let result: { readonly value: T } | undefined;
  try {
    await database.driver.transact(async (connection) => {
      result = { value: await work(connection) };
      throw new RollbackSignal();
    });
  } catch (error) {
    if (!(error instanceof RollbackSignal)) throw error;
  }
  if (result === undefined) throw new Error('The transaction did not run.');
  return result.value;
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (value instanceof Uint8Array) return `'\\x${Buffer.from(value).toString('hex')}'`;
  return pg.escapeLiteral(String(value));
}

function readsOf(node: PlanNode, prefix: string): string[] {
  const table = node['Relation Name'];
  const removedRows = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  const touchedRows = (node['Actual Rows'] + removedRows) * node['Actual Loops'];
  const isScan = table?.startsWith(prefix) === true && node['Node Type'].endsWith('Scan');
  return [
    ...(isScan && touchedRows > maxRows ? [`${node['Node Type']} of ${touchedRows} rows of ${table}`] : []),
    ...(node.Plans ?? []).flatMap((plan) => readsOf(plan, prefix)),
  ];
}

async function explainOnPostgres(database: Database, { sql, parameters, hot }: SqlStatement): Promise<string[]> {
  const planOf = (rows: readonly Record<string, unknown>[]): readonly { Plan: PlanNode }[] => {
    const plan = rows[0]?.['QUERY PLAN'];
    return typeof plan === 'string' ? JSON.parse(plan) : (plan as { Plan: PlanNode }[]);
  };
  const reasons: string[] = [];
  // Only a prepared statement gets a generic plan, after some runs.
  for (const mode of hot === true ? ['force_custom_plan', 'force_generic_plan'] : ['force_custom_plan']) {
    const rows = await withRollback(database, async (connection) => {
      const run = (text: string) => connection.query({ sql: text, parameters: [] });
      await run(`set local plan_cache_mode = ${mode}`);
      await run(`prepare explained as ${sql}`);
      try {
        const values = parameters.length === 0 ? '' : `(${parameters.map(literal).join(', ')})`;
        return (await run(`explain (analyze, timing off, format json) execute explained${values}`)).rows;
      } finally {
        await run('deallocate explained');
      }
    });
    for (const { Plan } of planOf(rows)) {
      reasons.push(...readsOf(Plan, database.prefix).map((reason) => `${reason} (${mode})`));
    }
  }
  return reasons;
}

async function explainOnSqlite(database: Database, { sql, parameters }: SqlStatement): Promise<string[]> {
  const { rows } = await withRollback(database, (connection) =>
    connection.query({ sql: `explain query plan ${sql}`, parameters }),
  );
  const steps = rows.map(({ detail }) => String(detail));
  const walks = / limit /i.test(sql) ? /^SCAN (\S+)(?!\S| USING)/ : /^SCAN (\S+)/;
  return steps.filter((step) => walks.exec(step)?.[1]?.startsWith(database.prefix) === true);
}

async function explainOnMysql(database: Database, { sql, parameters }: SqlStatement): Promise<string[]> {
  const { rows } = await withRollback(database, (connection) =>
    connection.query({ sql: `explain ${sql}`, parameters }),
  );
  const isWalk = / limit /i.test(sql) ? /^all$/i : /^(all|index)$/i;
  return rows.flatMap(({ table, type }) => {
    const isOurs = typeof table === 'string' && table.startsWith(database.prefix);
    return isOurs && isWalk.test(String(type)) ? [`${type} on ${table}`] : [];
  });
}

/** Statements that read a whole table, or more of it than any batch or page may. Statements on `small` tables are ignored. */
export async function findWideReads(
  database: Database,
  statements: RecordedStatements,
  small: readonly string[],
): Promise<WideRead[]> {
  const explainers = { sqlite: explainOnSqlite, postgres: explainOnPostgres, mysql: explainOnMysql };
  const explain = explainers[database.adapter.dialect];
  const foundReads: WideRead[] = [];
  for (const statement of statements.values()) {
    const { sql } = statement;
    if (!isExplained(sql)) continue;
    const reasons = await explain(database, statement);
    const relevantReasons = reasons.filter(
      (reason) => !small.some((table) => reason.includes(`${database.prefix}${table}`)),
    );
    if (relevantReasons.length > 0) foundReads.push({ sql, reason: [...new Set(relevantReasons)].join('; ') });
  }
  return foundReads;
}

// The rows of the workspaces under test as text. A refused call and a dry run must not change them.
import type { CompiledQuery } from 'kysely';
import type { TableDeclaration } from '../../../core/contract/declaration/plugin.ts';
import { sideColumn, unscoped } from '../../../core/storage/scope.ts';
import type { AnyTestService } from '../test-service.ts';

type Row = Readonly<Record<string, unknown>>;

/** By table: each row as JSON, sorted. */
export type Rows = ReadonlyMap<string, readonly string[]>;

const isTenant = ({ tenant, workspaceColumn }: TableDeclaration): boolean => tenant || workspaceColumn !== undefined;

const statementsByService = new WeakMap<object, Map<string, CompiledQuery<Row>>>();

async function readRows(
  { service: { core } }: AnyTestService,
  workspaceIds: readonly string[],
  isWanted: (table: TableDeclaration, name: string) => boolean,
): Promise<Map<string, Row[]>> {
  const database = await core.database();
  const reach = unscoped('the generated tests compare the rows of two workspaces');
  const wanted = [...core.registry.tables].filter(
    ([name, table]) => isTenant(table) && isWanted(table, name) && !tablesOfProcess.has(name),
  );
  return database.read(reach, async ({ db }) => {
    const rowsIn = (name: string, table: TableDeclaration) =>
      db
        .selectFrom(name as 'audit')
        .where((table.workspaceColumn ?? 'workspace_id') as 'workspace_id', 'in', [...workspaceIds]);
    // Most tables are empty, so one statement finds the tables with rows. It is long, so it is built once for each service.
    const statements = statementsByService.get(core) ?? new Map<string, CompiledQuery<Row>>();
    statementsByService.set(core, statements);
    const subject = [...workspaceIds, ...wanted.map(([name]) => name)].join();
    const statement =
      statements.get(subject) ??
      db
        .selectNoFrom(({ exists, lit }) =>
          wanted.map(([name, table]) => exists(rowsIn(name, table).select(lit(1).as('one'))).as(name)),
        )
        .compile();
    statements.set(subject, statement);
    const [filledTables] = (await db.executeQuery(statement)).rows;
    const rowsByTable = new Map<string, Row[]>();
    for (const [name, table] of wanted)
      rowsByTable.set(name, Number(filledTables?.[name]) === 0 ? [] : await rowsIn(name, table).selectAll().execute());
    return rowsByTable;
  });
}

/** Tables with reservations that a process makes for many calls, in separate transactions. A call does not undo them. */
const tablesOfProcess = new Set(['budget_leases', 'budget_locks']);

/** The table that is written in the background, some time after each request. */
const backgroundTables = 'request_log';

/** Leaves out the time of the last use, which is written in the background some time after a call. */
const asText = ({ last_used_at: _background, ...row }: Row): string => JSON.stringify(row);

function asTexts(rows: ReadonlyMap<string, readonly Row[]>): Rows {
  const comparedRows = [...rows].filter(([name]) => name !== backgroundTables);
  return new Map(comparedRows.map(([name, list]) => [name, list.map(asText).sort()]));
}

/** The rows of these workspaces in all tables. (Default: both workspaces of the test service) */
export const rowsOf = async (
  test: AnyTestService,
  workspaceIds: readonly string[] = [test.workspaceId, test.foreignWorkspaceId],
): Promise<Rows> => asTexts(await readRows(test, workspaceIds, () => true));

const hasSides = ({ sides }: TableDeclaration): boolean => sides === true;
/** Tables of the core that serve both sides and store the side of each row. */
const tablesWithSideColumn = new Set(['jobs', 'idempotency', 'api_keys']);
/** The rows of one side of the workspace under test, jobs included. */
export async function rowsOnSide(test: AnyTestService, sandbox: boolean): Promise<Rows> {
  const rows = await readRows(
    test,
    [test.workspaceId],
    (table, name) => hasSides(table) || tablesWithSideColumn.has(name),
  );
  const isMine = (row: Row): boolean => Boolean(row[sideColumn]) === sandbox;
  return asTexts(new Map([...rows].map(([name, list]) => [name, list.filter(isMine)])));
}

/** The values of all columns that are declared as the normalised address of a person. */
export async function addressesIn(
  test: AnyTestService,
): Promise<readonly { readonly table: string; readonly column: string; readonly value: string }[]> {
  const namesOf = ({ personal }: TableDeclaration): readonly string[] =>
    Object.entries(personal?.columns ?? {}).flatMap(([name, holds]) => (holds === 'address' ? [name] : []));
  const { tables } = test.service.core.registry;
  const rows = await readRows(test, [test.workspaceId], (table) => namesOf(table).length > 0);
  return [...rows].flatMap(([table, list]) =>
    namesOf(tables.get(table) as TableDeclaration).flatMap((column) =>
      list.flatMap((row) => (row[column] === null ? [] : [{ table, column, value: String(row[column]) }])),
    ),
  );
}

/** The column that names a row within its workspace. */
const keyOf = (table: TableDeclaration | undefined): string =>
  table !== undefined && 'key' in table && typeof table.key === 'string' ? table.key : 'id';

/**
 * Selects the ids that name jobs or rows of tables with sides. Rows of other tables are shared by both sides, even if a table with
 * sides refers to them.
 */
export async function idsWithSide(test: AnyTestService, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { tables } = test.service.core.registry;
  const knownIds = new Set<unknown>();
  const forEachRow = async (
    wanted: (table: TableDeclaration, name: string) => boolean,
    mark: (id: unknown) => void,
  ) => {
    for (const [name, rows] of await readRows(test, [test.workspaceId], wanted))
      for (const row of rows) mark(row[keyOf(tables.get(name))]);
  };
  const isSided = (table: TableDeclaration, name: string): boolean => hasSides(table) || name === 'jobs';
  await forEachRow(isSided, (id) => knownIds.add(id));
  await forEachRow(
    (table, name) => !isSided(table, name),
    (id) => knownIds.delete(id),
  );
  return new Set(ids.filter((id) => knownIds.has(id)));
}

/** The values that name rows of the workspace under test: the keys of its tables. */
export async function keysOfRows(test: AnyTestService): Promise<ReadonlySet<string>> {
  const { tables } = test.service.core.registry;
  const rows = await readRows(test, [test.workspaceId], () => true);
  return new Set([...rows].flatMap(([name, list]) => list.map((row) => String(row[keyOf(tables.get(name))]))));
}

/** The differences between two readings, one line for each row; empty if there is no difference. */
export function changesBetween(before: Rows, after: Rows): string[] {
  const lines: string[] = [];
  for (const [name, rows] of after) {
    const old = new Set(before.get(name));
    const now = new Set(rows);
    lines.push(...[...old].filter((row) => !now.has(row)).map((row) => `${name}: no longer ${row}`));
    lines.push(...rows.filter((row) => !old.has(row)).map((row) => `${name}: new ${row}`));
  }
  return lines;
}

// Checks that an erasure of one of two people in a row leaves the other person's data intact, and that an export of a person shows
// only texts of that person. Called by operation-suite.ts, once for each plugin. Writes its own rows into the declared tables.
import * as assert from 'node:assert/strict';
import type { ColumnType } from '../../../core/contract/declaration/migration.ts';
import type { PersonalTable } from '../../../core/contract/declaration/personal-fields.ts';
import { namesSeveral, namingColumns } from '../../../core/kernel/personal-data-rows.ts';
import { columnsOf } from '../../../core/kernel/personal-data-tables.ts';
import { primaryKeyOf } from '../../../core/storage/primary-key.ts';
import { unscoped } from '../../../core/storage/scope.ts';
import { createFixtureKit } from '../fixture-kit.ts';
import type { AnyTestService } from '../test-service.ts';

type Row = Record<string, unknown>;
type Kit = ReturnType<typeof createFixtureKit>;

/** A table whose rows name several people. */
interface SharedTable {
  readonly name: string;
  readonly personal: PersonalTable;
  readonly sides: boolean;
  readonly types: Readonly<Record<string, ColumnType>>;
  readonly key: readonly string[];
}

/** Two naming columns of the same kind. */
interface Pair {
  readonly first: string;
  readonly second: string;
}

const pairsOf = (personal: PersonalTable): Pair[] =>
  namingColumns(personal).flatMap(([first, kind], at, all) =>
    all.slice(at + 1).flatMap(([second, other]) => (kind === other ? [{ first, second }] : [])),
  );

function emptyValue(type: ColumnType, kit: Kit): unknown {
  if (type.endsWith('?')) return null;
  if (type === 'integer' || type === 'time' || type === 'flag') return 0;
  if (type === 'json') return '{}';
  return type === 'bytes' ? new Uint8Array() : kit.unique('x');
}

/** Text in the form of the column; undefined if the column cannot store text. */
function wordsAs(type: ColumnType, text: string): string | undefined {
  if (type.startsWith('json')) return JSON.stringify({ words: text });
  return type.startsWith('text') ? text : undefined;
}

/** A row that names a person in each naming column. Its words are about the first or the second person of the pair. */
function rowOf(kit: Kit, table: SharedTable, pair: Pair, about: 'first' | 'second'): Row {
  const { personal, types } = table;
  const row: Row = Object.fromEntries(Object.entries(types).map(([name, type]) => [name, emptyValue(type, kit)]));
  row['workspace_id'] = kit.workspaceId;
  if (table.sides) row['sandbox'] = 0;
  for (const [name, kind] of namingColumns(personal))
    row[name] = kind === 'address' ? `${kit.unique('person').toLowerCase()}@example.net` : kit.unique('con_p');
  for (const [name, holds] of Object.entries(personal.columns)) {
    const sample = wordsAs(types[name] ?? 'text', `What ${kit.unique('was-said')} of ${row[pair[about]]}.`);
    if (holds === 'text' && sample !== undefined) row[name] = sample;
  }
  return row;
}

const columnsShown = (row: Row | undefined, names: readonly string[]): Row =>
  Object.fromEntries(names.map((name) => [name, row?.[name]]));

async function checkPair(test: AnyTestService, kit: Kit, table: SharedTable, pair: Pair): Promise<void> {
  const { name, personal, key, types } = table;
  const any = name as 'audit';
  const database = await test.service.core.database();
  const read = (row: Row): Promise<Row | undefined> =>
    database.read(unscoped('the generated tests read one row by its key'), async ({ db }) => {
      const stored = await db
        .selectFrom(any)
        .selectAll()
        .where((builder) => builder.and(key.map((column) => builder(column as 'id', '=', row[column] as string))))
        .executeTakeFirst();
      return stored as Row | undefined;
    });
  const nameOf = (row: Row, column: string) =>
    personal.columns[column] === 'address' ? { email: String(row[column]) } : { personId: String(row[column]) };

  for (const erased of ['first', 'second'] as const) {
    const other = erased === 'first' ? 'second' : 'first';
    const [erasedColumn, keptColumn] = [pair[erased], pair[other]];
    const textColumns = Object.keys(personal.columns).filter((column) => personal.columns[column] === 'text');
    const row = rowOf(kit, table, pair, other);
    await kit.write(
      async ({ trx }) =>
        void (await trx.db
          .insertInto(any)
          .values(row as never)
          .execute()),
    );
    const stored = await read(row);
    const otherColumns = [...namingColumns(personal).map(([column]) => column), ...textColumns].filter(
      (column) => column !== erasedColumn,
    );

    const exported = JSON.stringify(await test.service.personalData.export(kit.workspaceId, nameOf(row, erasedColumn)));
    for (const column of textColumns) {
      const hasWords = wordsAs(types[column] ?? 'text', String(row[column])) !== undefined && row[column] !== null;
      const marker = /was-said-[\w-]+/.exec(String(row[column]))?.[0];
      if (hasWords && marker !== undefined)
        assert.ok(
          !exported.includes(marker),
          `the export of the person in ${name}.${erasedColumn} shows ${name}.${column}, whose words are of the person in ${keptColumn}: pass each row through withoutWordsOfOthers in personalData.export`,
        );
    }

    await test.service.personalData.erase(kit.workspaceId, nameOf(row, erasedColumn));
    const after = await read(row);
    assert.deepEqual(
      columnsShown(after, otherColumns),
      columnsShown(stored, otherColumns),
      `erasing the person in ${name}.${erasedColumn} changed what the row holds of the person in ${keptColumn}: judge each column by its own value in personalData.erase`,
    );
    assert.notEqual(
      after?.[erasedColumn],
      row[erasedColumn],
      `erasing the person in ${name}.${erasedColumn} left their name in the row`,
    );

    await test.service.personalData.erase(kit.workspaceId, nameOf(row, keptColumn));
    const remainingColumns = JSON.stringify((await read(row)) ?? {});
    for (const column of [erasedColumn, keptColumn])
      assert.ok(
        !remainingColumns.includes(String(row[column])),
        `after both erasures the row of ${name} still names ${column}`,
      );
  }
}

/** @throws AssertionError if an erasure or an export of a plugin mixes up the people of a row */
export async function checkSharedRows(pluginId: string, test: AnyTestService): Promise<void> {
  const { registry } = test.service.core;
  const plugin = registry.plugins.find(({ id }) => id === pluginId);
  const kit = createFixtureKit(test);
  for (const [name, { tenant, personal, sides = false }] of Object.entries(plugin?.tables ?? {})) {
    // The table declares that such rows are removed with any of their people.
    if (!tenant || personal === undefined || personal.rows === 'remove' || !namesSeveral(personal)) continue;
    const types = columnsOf(plugin?.migrations ?? [], name);
    const table = { name, personal, sides, types, key: primaryKeyOf(registry.migrations, name) };
    for (const pair of pairsOf(personal)) await checkPair(test, kit, table, pair);
  }
}

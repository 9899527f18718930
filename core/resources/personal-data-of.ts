// A plugin's part of exports and erasures, derived from its resources: exports show a person's rows as callers see
// them. The core erases the personal data that the fields declare. Called by plugins whose personal data needs nothing
// more.
import type { ReadContext } from '../contract/context/context.ts';
import type { PersonalData } from '../contract/declaration/personal-data.ts';
import { namingColumns, withoutWordsOfOthers } from '../kernel/personal-data-rows.ts';
import type { TenantRows } from './rows.ts';
import type { TableDefinition } from './table.ts';

/** A resource that an export shows. */
export interface ExportedResource {
  readonly table: TableDefinition;
  readonly rows: Pick<TenantRows<object>, 'page' | 'position'>;
  show(ctx: ReadContext, rows: readonly object[]): Promise<readonly object[]>;
}

const newestFirst = (position: ExportedResource['rows']['position']) => (first: object, second: object) => {
  const [a, b] = [position(first), position(second)];
  return b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1);
};

/**
 * Exports the rows that name the person, newest first, under the names of their resources in `resources`.
 * @example personalData: personalDataOf({ notes })
 */
export const personalDataOf = (resources: Readonly<Record<string, ExportedResource>>): PersonalData => ({
  async export(ctx, subject, limit) {
    const { personId, emails } = subject;
    const kinds: Record<string, readonly object[]> = {};
    // A plugin with sides is called for both sides. Rows that both sides share are shown on the live side.
    const isSided = Object.values(resources).some(({ table }) => table.sides);
    for (const [kind, { table, rows, show }] of Object.entries(resources)) {
      if (ctx.sandbox && isSided && !table.sides) continue;
      const rowsById = new Map<string, object>();
      for (const [column, kindOfName] of table.personal === undefined ? [] : namingColumns(table.personal))
        for (const name of kindOfName === 'address' ? emails : personId === null ? [] : [personId])
          for (const row of await rows.page(ctx.trx, { where: { [column]: name }, limit }))
            rowsById.set(rows.position(row).id, row);
      const newest = [...rowsById.values()].sort(newestFirst(rows.position)).slice(0, limit);
      kinds[kind] = await show(
        ctx,
        newest.map((row) => withoutWordsOfOthers(table, row, subject)),
      );
    }
    return kinds;
  },
  erase: async () => 'done',
});

// A plugin's part of exports and erasures, made of its resources: a person's rows as callers see them. The core erases what the
// fields declare. Called by plugins whose people need nothing more.
import type { PersonalData } from '../contract/personal-data.ts';
import { namingColumns, withoutWordsOfOthers } from '../kernel/personal-data-rows.ts';
import type { TenantRows } from './rows.ts';
import type { TableDefinition } from './table.ts';

/** A resource that an export shows. */
export interface ExportedResource {
  readonly table: TableDefinition;
  readonly rows: Pick<TenantRows<object>, 'page' | 'position'>;
  present(row: object): object;
}

/**
 * Exports the rows that name the person, newest first, by the kinds under which they are given.
 * @example personalData: personalDataOf({ notes })
 */
export const personalDataOf = (resources: Readonly<Record<string, ExportedResource>>): PersonalData => ({
  async export({ trx }, subject, limit) {
    const { personId, emails } = subject;
    const kinds: Record<string, readonly object[]> = {};
    for (const [kind, { table, rows, present }] of Object.entries(resources)) {
      const found = new Map<string, object>();
      for (const [column, holds] of table.personal === undefined ? [] : namingColumns(table.personal))
        for (const name of holds === 'address' ? emails : personId === null ? [] : [personId])
          for (const row of await rows.page(trx, { where: { [column]: name }, limit }))
            found.set(rows.position(row).id, row);
      kinds[kind] = [...found.values()]
        .slice(0, limit)
        .map((row) => present(withoutWordsOfOthers(table, row, subject)));
    }
    return kinds;
  },
  erase: async () => 'done',
});

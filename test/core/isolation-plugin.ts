// Tables that belong to workspaces, for the tests of isolation: one whose rows have a side, and one whose rows have none.
import type { StoredRow } from '../../core/index.ts';
import { column, defineMigration, definePlugin, defineTable, timestamps } from '../../core/index.ts';

export const letters = defineTable(
  'letters',
  { id: column.id('ltr'), topic: column.key(), pages: column.integer(), ...timestamps },
  { sides: true },
);
export const stamps = defineTable('stamps', {
  id: column.id('stp'),
  letter_id: column.id('ltr'),
  price: column.integer(),
});

declare module '../../core/contract/open.ts' {
  interface Tables {
    letters: StoredRow<typeof letters>;
    stamps: StoredRow<typeof stamps>;
  }
}

/** Compose it alone. */
export const isolationPlugin = () =>
  definePlugin({
    id: 'letters',
    tables: { letters, stamps },
    migrations: [
      defineMigration({
        id: '0001-letters',
        changes: [
          {
            create: 'letters',
            columns: {
              id: 'id',
              workspace_id: 'id',
              sandbox: 'flag',
              topic: 'key',
              pages: 'integer',
              created_at: 'time',
              updated_at: 'time',
            },
            primaryKey: ['id'],
          },
          // Without the workspace on purpose: a conflict may meet another workspace's row.
          { index: 'letters_topic', on: 'letters', columns: ['topic'], unique: true },
          {
            create: 'stamps',
            columns: { id: 'id', workspace_id: 'id', letter_id: 'id', price: 'integer' },
            primaryKey: ['id'],
          },
        ],
      }),
    ],
  });

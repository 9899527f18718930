// Tables with workspace rows for the isolation tests: one with sides and one without.
import { column, defineMigration, definePlugin, defineTable, type StoredRow, timestamps } from '../../core/index.ts';

export const crates = defineTable(
  'crates',
  { id: column.id('ltr'), topic: column.key(), pages: column.integer(), ...timestamps },
  { sides: true },
);
export const stamps = defineTable('stamps', {
  id: column.id('stp'),
  crate_id: column.id('ltr'),
  price: column.integer(),
});

declare module '../../core/contract/open.ts' {
  interface Tables {
    crates: StoredRow<typeof crates>;
    stamps: StoredRow<typeof stamps>;
  }
}

/** Compose this plugin alone. */
export const isolationPlugin = () =>
  definePlugin({
    id: 'crates',
    tables: { crates, stamps },
    migrations: [
      defineMigration({
        id: '0001-crates',
        changes: [
          {
            create: 'crates',
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
          // The index deliberately lacks the workspace, so that a conflict can affect a row of another workspace.
          { index: 'crates_topic', on: 'crates', columns: ['topic'], unique: true },
          {
            create: 'stamps',
            columns: { id: 'id', workspace_id: 'id', crate_id: 'id', price: 'integer' },
            primaryKey: ['id'],
          },
        ],
      }),
    ],
  });

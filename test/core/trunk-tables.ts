// The table, the migration and the errors of trunk-plugin.ts.
import { column, defineErrors, defineMigration, defineTable, type StoredRow, timestamps } from '../../core/index.ts';

export const trunks = defineTable(
  'trunks',
  { id: column.id('trk'), label: column.key(), owner: column.address().nullable(), ...timestamps },
  { sides: true, personal: { columns: { owner: 'address' } } },
);

declare module '../../core/contract/open.ts' {
  interface Tables {
    trunks: StoredRow<typeof trunks>;
  }
}

export const migration = defineMigration({
  id: '0001-trunks',
  changes: [
    {
      create: 'trunks',
      columns: {
        id: 'id',
        workspace_id: 'id',
        sandbox: 'flag',
        label: 'key',
        owner: 'address?',
        created_at: 'time',
        updated_at: 'time',
      },
      primaryKey: ['id'],
    },
  ],
});

export const errors = defineErrors({
  trunk_not_found: {
    status: 404,
    type: 'not_found_error',
    description: 'For tests.',
    message: ({ id }: { id: string }) => `There is no trunk ${id}.`,
  },
  trunk_locked: {
    status: 409,
    type: 'conflict_error',
    description: 'For tests.',
    message: () => 'The trunk is locked.',
  },
});

import { defineMigration } from '../../../core/index.ts';

export const migration0002 = defineMigration({
  id: '0002-last-check',
  changes: [{ alter: 'domains', add: { last_check: 'json?' } }],
});

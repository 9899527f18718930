import { defineMigration } from '../../../core/index.ts';

export const migration0003 = defineMigration({
  id: '0003-left-out',
  changes: [{ alter: 'plan_runs', add: { left_out: 'json?' } }],
});

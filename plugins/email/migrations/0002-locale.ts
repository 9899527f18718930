import { defineMigration } from '../../../core/index.ts';

export const migration0002 = defineMigration({
  id: '0002-locale',
  changes: [{ alter: 'sends', add: { locale: 'id?', test: 'flag?' } }],
});

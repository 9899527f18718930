import { defineMigration } from '../../../core/index.ts';

export const migration0002 = defineMigration({
  id: '0002-themes',
  changes: [
    { alter: 'template_versions', add: { theme: 'json?', theme_id: 'id?' } },
    { index: 'templates_theme', on: 'templates', columns: ['workspace_id', 'theme_id'] },
  ],
});

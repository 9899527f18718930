import { defineMigration } from '../../../core/index.ts';

export const migration0002 = defineMigration({
  id: '0002-locales-layouts',
  changes: [
    { alter: 'templates', add: { kind: 'id?', layout: 'key?', locale: 'id?', locales: 'json?' } },
    {
      alter: 'template_versions',
      add: { layout: 'key?', layout_version: 'integer?', locale: 'id?', locales: 'json?' },
    },
  ],
});

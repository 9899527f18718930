// The pages of templates in the console.
import type { ConsoleEntry } from '../../../core/index.ts';
import { findTemplates, templateList } from './list.ts';
import { templatePage, templatePreview } from './template.ts';

const ofTemplates = { area: 'Content', scopes: ['templates:read'] } as const;

export const consolePages: readonly ConsoleEntry[] = [
  { ...ofTemplates, path: 'templates', title: 'Templates', render: templateList, find: findTemplates },
  { ...ofTemplates, path: 'templates/{key}', title: 'Template', render: templatePage },
  { ...ofTemplates, path: 'templates/{key}/preview', title: 'Preview', render: templatePreview },
];

// The pages of landing pages in the console.
import type { ConsoleEntry } from '../../../core/index.ts';
import { pageActions } from './actions.ts';
import { createAction, findPages, pageList } from './list.ts';
import { landingPage } from './page.ts';
import { submissionFile, submissionList } from './submissions.ts';

const ofPages = { area: 'Content', scopes: ['pages:read'] } as const;
const one = 'pages/{pageId}';

export const consolePages: readonly ConsoleEntry[] = [
  { ...ofPages, path: 'pages', title: 'Pages', render: pageList, find: findPages, actions: { create: createAction } },
  { ...ofPages, path: one, title: 'Page', render: landingPage, actions: pageActions },
  { ...ofPages, path: `${one}/submissions`, title: 'Form submissions', render: submissionList },
  { ...ofPages, path: `${one}/submissions/csv`, title: 'CSV', render: submissionFile },
];

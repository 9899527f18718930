// The workspace plugin: shows the workspace, which is stored by the core.
import { type CallsOf, definePlugin } from '../../core/index.ts';
import { consolePages } from './console/index.ts';
import { overviewPart } from './console/overview.ts';
import { operations } from './operations/index.ts';
import { scopes } from './scopes.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    workspace: CallsOf<typeof operations>;
  }
}

/** Read access to the workspace. */
export const workspacePlugin = () =>
  definePlugin({
    id: 'workspace',
    searchWords: {
      workspace: ['account', 'company'],
      people: ['colleagues', 'team', 'teammates', 'users', 'staff', 'who', 'reviewers', 'member', 'works', 'employees'],
    },
    scopes,
    operations,
    console: consolePages,
    contributes: { 'console.overview': () => overviewPart },
  });

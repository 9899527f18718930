// The workspace plugin: shows the workspace, which the core stores.
import { type CallsOf, definePlugin } from '../../core/index.ts';
import { operations } from './operations/index.ts';
import { scopes } from './scopes.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    workspace: CallsOf<typeof operations>;
  }
}

/** Reads of the workspace. */
export const workspacePlugin = () => definePlugin({ id: 'workspace', scopes, operations });

// The audit plugin: shows the entries that the pipeline writes.
import { type CallsOf, definePlugin } from '../../core/index.ts';
import { operations } from './operations/index.ts';
import { scopes } from './scopes.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    audit: CallsOf<typeof operations>;
  }
}

/** Read access to the audit log. */
export const auditPlugin = () => definePlugin({ id: 'audit', scopes, operations });

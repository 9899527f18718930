// The audit plugin: shows the entries that the pipeline writes, and the requests that it logs.
import { type CallsOf, definePlugin } from '../../core/index.ts';
import { consolePages } from './console/index.ts';
import { operations } from './operations/index.ts';
import { scopes } from './scopes.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    audit: CallsOf<typeof operations>;
  }
}

/** Read access to the audit log and to the log of requests. */
export const auditPlugin = () =>
  definePlugin({
    id: 'audit',
    searchWords: {
      requests: ['http', 'calls', 'traffic', 'status', 'errors', 'slow', 'refused'],
      audit: ['log', 'history', 'trail', 'activity', 'changed', 'did', 'happened', 'yesterday', 'who'],
    },
    scopes,
    operations,
    console: consolePages,
  });

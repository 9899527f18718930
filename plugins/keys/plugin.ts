// The keys plugin: lists the core's API keys without their secrets.
import { type CallsOf, definePlugin } from '../../core/index.ts';
import { consolePages } from './console/index.ts';
import { overviewPart } from './console/overview.ts';
import { operations } from './operations/index.ts';
import { scopes } from './scopes.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    keys: CallsOf<typeof operations>;
  }
}

/** Read access to API keys. */
export const keysPlugin = () =>
  definePlugin({
    id: 'keys',
    searchWords: {
      key: ['token', 'secret', 'access', 'credentials', 'login', 'apikey', 'integration', 'staff'],
    },
    scopes,
    console: consolePages,
    contributes: { 'console.overview': () => overviewPart },
    operations,
  });

// The jobs plugin: shows the jobs that failed, and lets them run again.
import { type CallsOf, definePlugin, errorDefinitions } from '../../core/index.ts';
import { consolePages } from './console/index.ts';
import { overviewPart } from './console/overview.ts';
import { errors } from './errors.ts';
import { operations } from './operations/index.ts';
import { scopes } from './scopes.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    jobs: CallsOf<typeof operations>;
  }
}

/** Shows the jobs of a workspace that failed, and lets them run again. */
export const jobsPlugin = () =>
  definePlugin({
    id: 'jobs',
    searchWords: {
      job: ['background', 'queue', 'stuck', 'task', 'error'],
    },
    scopes,
    errors: errorDefinitions(errors),
    operations,
    console: consolePages,
    contributes: { 'console.overview': () => overviewPart },
  });

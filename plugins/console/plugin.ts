// The console plugin: the app for the people who run the program. It shows the pages that the composed plugins add, and has no
// tables and no operations of its own.
import { type CallsOf, checkOptions, definePlugin, errorDefinitions } from '../../core/index.ts';
import { errors } from './errors.ts';
import type { ConsoleOptions } from './options.ts';
import { consoleRoutes } from './routes.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    console: CallsOf<readonly []>;
  }
}

/**
 * The console at /console. In production it exists only with `access`, here or as an option of createService; in development it
 * also answers this machine without one.
 */
export const consolePlugin = (options: ConsoleOptions = {}) => {
  checkOptions<ConsoleOptions>('consolePlugin', options, {
    access: 'optional',
    localMember: 'optional',
  });
  return definePlugin({
    id: 'console',
    publicRoutes: consoleRoutes(options),
    contributes: { 'core.console': () => ({ path: '/console' }) },
    errors: errorDefinitions(errors),
    extensionPoints: ['console.overview'],
  });
};

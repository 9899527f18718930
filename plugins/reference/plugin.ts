// The reference plugin: a page about the API, made from the composed plugins. It reads declarations only, never rows.
import { type CallsOf, checkOptions, definePlugin } from '../../core/index.ts';
import { examples } from './examples.gen.ts';
import type { ReferenceOptions } from './options.ts';
import { createRoutes } from './routes.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    reference: CallsOf<readonly []>;
  }
}

/** The API reference at /docs: open in development; in production only with `public` or `authorize`. */
export const referencePlugin = (options: ReferenceOptions = {}) => {
  checkOptions<ReferenceOptions>('referencePlugin', options, {
    path: 'optional',
    public: 'optional',
    authorize: 'optional',
  });
  return definePlugin({ id: 'reference', publicRoutes: createRoutes(options), examples });
};

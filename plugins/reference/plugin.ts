// The reference plugin: a page about the API, made from the composed plugins. It reads declarations only, never rows.
import { type CallsOf, type ConsoleEntry, checkOptions, definePlugin } from '../../core/index.ts';
import { examples } from './examples.gen.ts';
import { pathOf, type ReferenceOptions } from './options.ts';
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
  const link: ConsoleEntry = {
    area: 'Developers',
    url: pathOf(options),
    title: 'API reference',
    scopes: [],
    // Without an answer of the program, the page is not open in production.
    hidden: ({ service }) =>
      service.environment === 'production' && options.public !== true && options.authorize === undefined,
  };
  return definePlugin({ id: 'reference', publicRoutes: createRoutes(options), console: [link], examples });
};

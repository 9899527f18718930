// The brand plugin.
import { type CallsOf, definePlugin, errorDefinitions, type ReferenceSource } from '../../core/index.ts';
import { consolePages } from './console/index.ts';
import { overviewPart } from './console/overview.ts';
import { errors } from './errors.ts';
import { migration0001 } from './migrations/0001-brands.ts';
import { operations } from './operations/index.ts';
import { scopes } from './scopes.ts';
import { type BrandsService, createBrandsService, createPageAppearances } from './service.ts';
import { tables } from './tables.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    brand: CallsOf<typeof operations>;
  }
  interface ExtensionPoints {
    /** The users of a theme. If a caller tries to remove the theme, `theme_in_use` lists them. */
    'brand.theme_references': ReferenceSource;
  }
  interface Services {
    brands: BrandsService;
  }
}

/** Brands of a workspace, with their themes. */
export const brandPlugin = () =>
  definePlugin({
    id: 'brand',
    searchWords: {
      brand: ['colors', 'logo', 'fonts', 'palette', 'style', 'look', 'identity', 'voice', 'theme'],
    },
    scopes,
    operations,
    console: consolePages,
    contributes: { 'console.overview': () => overviewPart },
    errors: errorDefinitions(errors),
    tables,
    migrations: [migration0001],
    extensionPoints: ['brand.theme_references'],
    services: { brands: createBrandsService, pageAppearances: createPageAppearances },
  });

// The brand plugin.
import { type CallsOf, definePlugin, errorDefinitions, type ReferenceSource } from '../../core/index.ts';
import { errors } from './errors.ts';
import { migration0001 } from './migrations/0001-brands.ts';
import { operations } from './operations/index.ts';
import { scopes } from './scopes.ts';
import { type BrandsService, createBrandsService, createPageLooks } from './service.ts';
import { tables } from './tables.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    brand: CallsOf<typeof operations>;
  }
  interface ExtensionPoints {
    /** The users of a theme. `theme_in_use` lists them if the theme is to be removed. */
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
    scopes,
    operations,
    errors: errorDefinitions(errors),
    tables,
    migrations: [migration0001],
    extensionPoints: ['brand.theme_references'],
    services: { brands: createBrandsService, pageLooks: createPageLooks },
  });

// The plugin of pages.
import type { CallsOf } from '../../core/index.ts';
import { definePlugin } from '../../core/index.ts';
import { operations } from './operations/index.ts';
import { scopes } from './scopes.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    pages: CallsOf<typeof operations>;
  }
}

/** Landing pages: built in the background from a brief, edited, published as versions, shown to visitors. */
export const pagesPlugin = () =>
  definePlugin({
    id: 'pages',
    requires: ['templates', 'brand', 'assets'],
    scopes,
    operations,
  });

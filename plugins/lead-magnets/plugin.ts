// The plugin of lead-magnets.
import type { CallsOf } from '../../core/index.ts';
import { definePlugin } from '../../core/index.ts';
import { operations } from './operations/index.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    'lead-magnets': CallsOf<typeof operations>;
  }
}

/** Ebooks, guides and checklists that a form gives away as a PDF. */
export const leadMagnetsPlugin = () =>
  definePlugin({
    id: 'lead-magnets',
    requires: ['pages', 'templates', 'brand', 'assets'],

    operations,
  });

// The plugin of designs.
import type { CallsOf } from '../../core/index.ts';
import { definePlugin } from '../../core/index.ts';
import { operations } from './operations/index.ts';
import { scopes } from './scopes.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    designs: CallsOf<typeof operations>;
  }
}

/** Canvases of layers in the sizes of the channels, rendered as pictures. */
export const designsPlugin = () =>
  definePlugin({
    id: 'designs',
    requires: ['templates', 'brand', 'assets'],
    scopes,
    operations,
  });

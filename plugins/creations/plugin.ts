// The plugin of creations.
import type { CallsOf } from '../../core/index.ts';
import { definePlugin } from '../../core/index.ts';
import { operations } from './operations/index.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    creations: CallsOf<typeof operations>;
  }
}

/** Campaigns over several channels, made from a brief. */
export const creationsPlugin = () =>
  definePlugin({
    id: 'creations',
    requires: ['campaigns', 'marketing', 'templates', 'social', 'links'],

    operations,
  });

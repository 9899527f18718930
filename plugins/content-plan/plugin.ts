// The plugin of content-plan.
import type { CallsOf } from '../../core/index.ts';
import { definePlugin } from '../../core/index.ts';
import { operations } from './operations/index.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    'content-plan': CallsOf<typeof operations>;
  }
}

/** The content plan: what is planned on which day, market news, and weeks that are planned in steps. */
export const contentPlanPlugin = () =>
  definePlugin({
    id: 'content-plan',
    requires: ['campaigns', 'social', 'templates'],

    operations,
  });

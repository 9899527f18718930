// The brands in the overview of the console: a first step for workspaces without a brand.
import type { OverviewPart } from '../../console/index.ts';

export const overviewPart: OverviewPart = {
  scopes: ['brand:read'],
  firstStep: {
    text: 'Describe your brand',
    path: 'brand',
    isDone: async ({ calls }) => (await calls.brand.list({ limit: 1 })).data.length > 0,
  },
};

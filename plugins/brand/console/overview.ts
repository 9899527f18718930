// What the overview of the console shows of brands: whether a new workspace has one.
import type { OverviewPart } from '../../console/index.ts';

export const overviewPart: OverviewPart = {
  scopes: ['brand:read'],
  firstStep: {
    text: 'Describe your brand',
    path: 'brand',
    isDone: async ({ calls }) => (await calls.brand.list({ limit: 1 })).data.length > 0,
  },
};

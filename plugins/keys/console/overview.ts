// The API keys in the overview of the console: a first step for workspaces without a key.
import type { OverviewPart } from '../../console/index.ts';

export const overviewPart: OverviewPart = {
  scopes: ['keys:read'],
  firstStep: {
    text: 'Create an API key',
    path: 'keys',
    isDone: async ({ calls }) => (await calls.keys.list({ limit: 1 })).data.length > 0,
  },
};

// What the overview of the console shows of templates: whether a new workspace has published one.
import type { OverviewPart } from '../../console/index.ts';

export const overviewPart: OverviewPart = {
  scopes: ['templates:read'],
  firstStep: {
    text: 'Publish a template',
    path: 'templates',
    isDone: async ({ calls }) => (await calls.templates.list({ status: 'published', limit: 1 })).data.length > 0,
  },
};

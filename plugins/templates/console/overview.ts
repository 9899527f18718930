// The part of the console's overview about templates: a first step of a new workspace is to publish one.
import type { OverviewPart } from '../../console/index.ts';

export const overviewPart: OverviewPart = {
  scopes: ['templates:read'],
  firstStep: {
    text: 'Publish a template',
    path: 'templates',
    isDone: async ({ calls }) => (await calls.templates.list({ status: 'published', limit: 1 })).data.length > 0,
  },
};

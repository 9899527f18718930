// What the overview of the console shows of contacts: whether a new workspace has one.
import type { OverviewPart } from '../../console/index.ts';

export const overviewPart: OverviewPart = {
  scopes: ['contacts:read'],
  firstStep: {
    text: 'Add a contact',
    path: 'contacts',
    isDone: async ({ calls }) => (await calls.contacts.list({ limit: 1 })).data.length > 0,
  },
};

// The contacts in the overview of the console: a first step for workspaces without a contact.
import type { OverviewPart } from '../../console/index.ts';

export const overviewPart: OverviewPart = {
  scopes: ['contacts:read'],
  firstStep: {
    text: 'Add a contact',
    path: 'contacts',
    isDone: async ({ calls }) => (await calls.contacts.list({ limit: 1 })).data.length > 0,
  },
};

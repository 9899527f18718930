// The content of the pages that index.ts declares, imported when the first of them is shown.
import type { ConsolePageContent } from '../../../core/index.ts';
import { leadMagnetActions, leadMagnetPage } from './lead-magnet.ts';
import { createAction, findLeadMagnets, leadMagnetList } from './list.ts';

export const leadMagnets: ConsolePageContent = {
  render: leadMagnetList,
  find: findLeadMagnets,
  actions: { create: createAction },
};

export const leadMagnet: ConsolePageContent = { render: leadMagnetPage, actions: leadMagnetActions };

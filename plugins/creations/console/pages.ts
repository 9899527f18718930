// The content of the pages that index.ts declares, imported when the first of them is shown.
import type { ConsolePageContent } from '../../../core/index.ts';
import { creationActions } from './actions.ts';
import { creationPage } from './creation.ts';
import { creationList, findCreations, spawnAction } from './list.ts';

export const creations: ConsolePageContent = {
  render: creationList,
  find: findCreations,
  actions: { spawn: spawnAction },
};

export const creation: ConsolePageContent = { render: creationPage, actions: creationActions };

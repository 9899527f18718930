// The content of the pages that index.ts declares, imported when the first of them is shown.
import type { ConsolePageContent } from '../../../core/index.ts';
import { listPage } from './list.ts';
import { findLists, listOverview } from './lists.ts';

export const lists: ConsolePageContent = { render: listOverview, find: findLists };

export const list: ConsolePageContent = { render: listPage };

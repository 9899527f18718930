// The content of the pages that index.ts declares, imported when the first of them is shown.
import type { ConsolePageContent } from '../../../core/index.ts';
import { archiveAction, linkPage } from './link.ts';
import { findLinks, linkList } from './list.ts';

export const links: ConsolePageContent = { render: linkList, find: findLinks };

export const link: ConsolePageContent = { render: linkPage, actions: { archive: archiveAction } };

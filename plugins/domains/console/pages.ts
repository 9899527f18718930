// The content of the pages that index.ts declares, imported when the first of them is shown.
import type { ConsolePageContent } from '../../../core/index.ts';
import { domainActions, domainPage } from './domain.ts';
import { domainList, findDomains } from './list.ts';

export const domains: ConsolePageContent = { render: domainList, find: findDomains };

export const domain: ConsolePageContent = { render: domainPage, actions: domainActions };

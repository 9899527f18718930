// The content of the pages that index.ts declares, imported when the first of them is shown.
import type { ConsolePageContent } from '../../../core/index.ts';
import { memberList } from './members.ts';
import { planPage } from './plan.ts';

export const members: ConsolePageContent = { render: memberList };

export const plan: ConsolePageContent = { render: planPage };

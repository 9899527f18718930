// The content of the pages that index.ts declares, imported when the first of them is shown.
import type { ConsolePageContent } from '../../../core/index.ts';
import { eventPage } from './event.ts';
import { eventList } from './list.ts';

export const events: ConsolePageContent = { render: eventList };

export const event: ConsolePageContent = { render: eventPage };

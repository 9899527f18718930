// The content of the pages that index.ts declares, imported when the first of them is shown.
import type { ConsolePageContent } from '../../../core/index.ts';
import { keyList } from './list.ts';

export const apiKeys: ConsolePageContent = { render: keyList };

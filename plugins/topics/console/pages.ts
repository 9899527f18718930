// The content of the pages that index.ts declares, imported when the first of them is shown.
import type { ConsolePageContent } from '../../../core/index.ts';
import { topicList } from './list.ts';

export const topics: ConsolePageContent = { render: topicList };

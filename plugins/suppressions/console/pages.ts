// The content of the pages that index.ts declares, imported when the first of them is shown.
import type { ConsolePageContent } from '../../../core/index.ts';
import { addAction, removeAction, suppressionList } from './list.ts';

export const suppressions: ConsolePageContent = {
  render: suppressionList,
  actions: { add: addAction, remove: removeAction },
};

// The content of the pages that index.ts declares, imported when the first of them is shown.
import type { ConsolePageContent } from '../../../core/index.ts';
import { findSends, sendList } from './list.ts';
import { cancelAction, sendPage } from './send.ts';

export const sends: ConsolePageContent = { render: sendList, find: findSends };

export const send: ConsolePageContent = { render: sendPage, actions: { cancel: cancelAction } };

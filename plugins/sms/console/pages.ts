// The content of the pages that index.ts declares, imported when the first of them is shown.
import type { ConsolePageContent } from '../../../core/index.ts';
import { findSms, smsList } from './list.ts';

export const sms: ConsolePageContent = { render: smsList, find: findSms };

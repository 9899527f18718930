// The content of the pages that index.ts declares, imported when the first of them is shown.
import type { ConsolePageContent } from '../../../core/index.ts';
import { auditList } from './audit.ts';
import { requestList } from './requests.ts';

export const requests: ConsolePageContent = { render: requestList };

export const audit: ConsolePageContent = { render: auditList };

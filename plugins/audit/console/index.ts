// The pages of the log of requests and of the audit in the console.
import type { ConsoleEntry } from '../../../core/index.ts';
import { auditList } from './audit.ts';
import { requestList } from './requests.ts';

const ofAudit = { area: 'Developers', scopes: ['audit:read'] } as const;

export const consolePages: readonly ConsoleEntry[] = [
  { ...ofAudit, path: 'requests', title: 'Requests', render: requestList },
  { ...ofAudit, path: 'audit', title: 'Audit', render: auditList },
];

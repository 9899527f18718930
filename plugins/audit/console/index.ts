// The pages of the log of requests and of the audit in the console.
import type { ConsoleEntry } from '../../../core/index.ts';

const ofAudit = { area: 'Developers', scopes: ['audit:read'] } as const;

const pages = () => import('./pages.ts');

export const consolePages: readonly ConsoleEntry[] = [
  { ...ofAudit, path: 'requests', title: 'Requests', load: async () => (await pages()).requests },
  { ...ofAudit, path: 'audit', title: 'Audit', load: async () => (await pages()).audit },
];

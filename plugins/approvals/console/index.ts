// The pages of approvals in the console.
import type { ConsoleEntry } from '../../../core/index.ts';

const ofApprovals = { area: 'Team', scopes: ['approvals:read'] } as const;
const requestPath = 'approvals/{requestId}';

const pages = () => import('./pages.ts');

export const consolePages: readonly ConsoleEntry[] = [
  { ...ofApprovals, path: 'approvals', title: 'Approvals', load: async () => (await pages()).approvals },
  { ...ofApprovals, path: requestPath, title: 'Request', load: async () => (await pages()).request },
  { ...ofApprovals, path: `${requestPath}/before`, title: 'Before', load: async () => (await pages()).before },
  { ...ofApprovals, path: `${requestPath}/after`, title: 'After', load: async () => (await pages()).after },
];

// The pages of approvals in the console.
import type { ConsoleEntry } from '../../../core/index.ts';

const sharedFields = { area: 'Team', scopes: ['approvals:read'] } as const;
const requestPath = 'approvals/{requestId}';

const pages = () => import('./pages.ts');

export const consolePages: readonly ConsoleEntry[] = [
  { ...sharedFields, path: 'approvals', title: 'Approvals', load: async () => (await pages()).approvals },
  { ...sharedFields, path: requestPath, title: 'Request', load: async () => (await pages()).request },
  { ...sharedFields, path: `${requestPath}/before`, title: 'Before', load: async () => (await pages()).before },
  { ...sharedFields, path: `${requestPath}/after`, title: 'After', load: async () => (await pages()).after },
];

// The pages of sending domains in the console.
import type { ConsoleEntry } from '../../../core/index.ts';

const ofDomains = { area: 'Settings', scopes: ['connectors:read'] } as const;

const pages = () => import('./pages.ts');

export const consolePages: readonly ConsoleEntry[] = [
  { ...ofDomains, path: 'domains', title: 'Domains', load: async () => (await pages()).domains },
  { ...ofDomains, path: 'domains/{domain}', title: 'Domain', load: async () => (await pages()).domain },
];

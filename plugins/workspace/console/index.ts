// The pages of the workspace in the console.
import type { ConsoleEntry } from '../../../core/index.ts';

const workspaceArea = { area: 'Settings', scopes: ['workspace:read'] } as const;

const pages = () => import('./pages.ts');

export const consolePages: readonly ConsoleEntry[] = [
  { ...workspaceArea, path: 'members', title: 'Members', load: async () => (await pages()).members },
  { ...workspaceArea, path: 'plan', title: 'Plan and limits', load: async () => (await pages()).plan },
];

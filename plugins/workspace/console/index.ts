// The pages of the workspace in the console.
import type { ConsoleEntry } from '../../../core/index.ts';
import { memberList } from './members.ts';
import { planPage } from './plan.ts';

const ofWorkspace = { area: 'Settings', scopes: ['workspace:read'] } as const;

export const consolePages: readonly ConsoleEntry[] = [
  { ...ofWorkspace, path: 'members', title: 'Members', render: memberList },
  { ...ofWorkspace, path: 'plan', title: 'Plan and limits', render: planPage },
];

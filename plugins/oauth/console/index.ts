// The entries of connected apps in the console: the apps of a workspace, and for people who may not end these, their own apps.
import type { ConsoleEntry } from '../../../core/index.ts';
import { appsPath, manageScopes } from './apps-page.ts';

const area = 'Developers';

const pages = () => import('./pages.ts');

export const consoleEntries: readonly ConsoleEntry[] = [
  {
    area,
    path: appsPath,
    title: 'Connected apps',
    scopes: ['keys:read'],
    load: async () => (await pages()).connectedApps,
  },
  // The scopes of this entry are empty, because all people may end the apps that act for them. It only links to the page that ends apps.
  { area, url: '/connected-apps', title: 'Your connected apps', scopes: [], unless: manageScopes },
];

// The pages of the event catalogue in the console.
import type { ConsoleEntry } from '../../../core/index.ts';

const ofEvents = { area: 'Developers', scopes: ['contacts:read'] } as const;

const pages = () => import('./pages.ts');

export const consolePages: readonly ConsoleEntry[] = [
  { ...ofEvents, path: 'events', title: 'Events', load: async () => (await pages()).events },
  { ...ofEvents, path: 'events/{type}', title: 'Event', load: async () => (await pages()).event },
];

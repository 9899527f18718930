// The pages of broadcasts in the console, and the redirect from their old address.
import type { ConsoleEntry } from '../../../core/index.ts';
import { movedToConsole } from '../../../core/unstable.ts';

const ofBroadcasts = { area: 'Messages', scopes: ['broadcasts:read'] } as const;

const pages = () => import('./pages.ts');

export const consolePages: readonly ConsoleEntry[] = [
  { ...ofBroadcasts, path: 'broadcasts', title: 'Broadcasts', load: async () => (await pages()).broadcasts },
  { ...ofBroadcasts, path: 'broadcasts/{broadcastId}', title: 'Report', load: async () => (await pages()).report },
  {
    ...ofBroadcasts,
    path: 'broadcasts/{broadcastId}/preview',
    title: 'Preview',
    load: async () => (await pages()).preview,
  },
  {
    ...ofBroadcasts,
    path: 'broadcasts/{broadcastId}/recipients',
    title: 'Recipients',
    load: async () => (await pages()).recipients,
  },
];

const withStatus = (path: string, status: string | undefined): string =>
  status === undefined || status === 'all' ? path : `${path}?${new URLSearchParams({ status })}`;

/** The query of the old address contained the id of a broadcast and a status of recipients, which are parts of the new path. */
export const movedPage = movedToConsole('/broadcasts-console', ({ view, broadcast, recipients, status }) => {
  if (view === 'reputation') return 'reputation';
  if (broadcast === undefined) return withStatus('broadcasts', status);
  const page = `broadcasts/${broadcast}`;
  return recipients === undefined ? page : withStatus(`${page}/recipients`, recipients);
});

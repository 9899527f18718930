// The pages of broadcasts in the console, and the way to them from their old address.
import type { ConsoleEntry } from '../../../core/index.ts';
import { movedToConsole } from '../../../core/unstable.ts';
import { broadcastActions } from './actions.ts';
import { composeActions, scheduleActions } from './compose.ts';
import { broadcastList, findBroadcasts } from './list.ts';
import { recipientsPage } from './recipients.ts';
import { reportPage, reportStyle } from './report.ts';

const ofBroadcasts = { area: 'Messages', scopes: ['broadcasts:read'] } as const;

export const consolePages: readonly ConsoleEntry[] = [
  {
    ...ofBroadcasts,
    path: 'broadcasts',
    title: 'Broadcasts',
    render: broadcastList,
    find: findBroadcasts,
    actions: composeActions,
  },
  {
    ...ofBroadcasts,
    path: 'broadcasts/{broadcastId}',
    title: 'Report',
    render: reportPage,
    actions: { ...broadcastActions, ...scheduleActions },
    style: reportStyle,
  },
  { ...ofBroadcasts, path: 'broadcasts/{broadcastId}/recipients', title: 'Recipients', render: recipientsPage },
];

const withStatus = (path: string, status: string | undefined): string =>
  status === undefined || status === 'all' ? path : `${path}?${new URLSearchParams({ status })}`;

/** The old address named a broadcast, and the recipients of one status or of all. */
export const movedPage = movedToConsole('/broadcasts-console', ({ view, broadcast, recipients, status }) => {
  if (view === 'reputation') return 'reputation';
  if (broadcast === undefined) return withStatus('broadcasts', status);
  const page = `broadcasts/${broadcast}`;
  return recipients === undefined ? page : withStatus(`${page}/recipients`, recipients);
});

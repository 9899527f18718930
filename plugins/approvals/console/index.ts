// The pages of approvals in the console.
import type { ConsoleEntry } from '../../../core/index.ts';
import { approvalList } from './list.ts';
import { decideAction, requestPage, requestSide, requestStyle } from './request.ts';

const ofApprovals = { area: 'Team', scopes: ['approvals:read'] } as const;
const one = 'approvals/{requestId}';

export const consolePages: readonly ConsoleEntry[] = [
  { ...ofApprovals, path: 'approvals', title: 'Approvals', render: approvalList },
  {
    ...ofApprovals,
    path: one,
    title: 'Request',
    style: requestStyle,
    render: requestPage,
    actions: {
      approve: decideAction('approve', 'You have approved it.'),
      request_changes: decideAction('request_changes', 'You have asked for changes.'),
      reject: decideAction('reject', 'You have rejected it.'),
    },
  },
  { ...ofApprovals, path: `${one}/before`, title: 'Before', render: requestSide('before') },
  { ...ofApprovals, path: `${one}/after`, title: 'After', render: requestSide('after') },
];

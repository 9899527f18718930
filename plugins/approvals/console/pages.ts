// The content of the pages that index.ts declares, imported when the first of them is shown.
import type { ConsolePageContent } from '../../../core/index.ts';
import { approvalList, findRequests } from './list.ts';
import { decideAction, requestPage, requestSide, requestStyle } from './request.ts';

export const approvals: ConsolePageContent = { render: approvalList, find: findRequests };

export const request: ConsolePageContent = {
  style: requestStyle,
  render: requestPage,
  actions: {
    approve: decideAction('approve', 'You have approved it.'),
    request_changes: decideAction('request_changes', 'You have asked for changes.'),
    reject: decideAction('reject', 'You have rejected it.'),
  },
};

export const before: ConsolePageContent = { render: requestSide('before') };

export const after: ConsolePageContent = { render: requestSide('after') };

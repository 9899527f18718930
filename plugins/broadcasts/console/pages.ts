// The content of the pages that index.ts declares, imported when the first of them is shown.
import type { ConsolePageContent } from '../../../core/index.ts';
import { broadcastActions } from './actions.ts';
import { composeActions, scheduleActions } from './compose.ts';
import { broadcastList, findBroadcasts } from './list.ts';
import { recipientsPage } from './recipients.ts';
import { reportPage, reportStyle } from './report.ts';
import { previewDocument, testAction } from './try-out.ts';

export const broadcasts: ConsolePageContent = { render: broadcastList, find: findBroadcasts, actions: composeActions };

export const report: ConsolePageContent = {
  render: reportPage,
  actions: { ...broadcastActions, ...scheduleActions, test: testAction },
  style: reportStyle,
};

export const preview: ConsolePageContent = { render: previewDocument };

export const recipients: ConsolePageContent = { render: recipientsPage };

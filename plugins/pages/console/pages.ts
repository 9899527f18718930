// The content of the pages that index.ts declares, imported when the first of them is shown.
import type { ConsolePageContent } from '../../../core/index.ts';
import { pageActions } from './actions.ts';
import { createAction, findPages, pageList } from './list.ts';
import { landingPage } from './page.ts';
import { submissionFile, submissionList } from './submissions.ts';
import { versionsPage } from './versions.ts';

export const pages: ConsolePageContent = { render: pageList, find: findPages, actions: { create: createAction } };

export const page: ConsolePageContent = { render: landingPage, actions: pageActions };

export const versions: ConsolePageContent = { render: versionsPage, actions: { rollBack: pageActions.rollBack } };

export const formSubmissions: ConsolePageContent = { render: submissionList };

export const csv: ConsolePageContent = { render: submissionFile };

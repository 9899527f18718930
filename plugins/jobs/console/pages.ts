// The content of the page that index.ts declares, imported when it is first shown.
import type { ConsolePageContent } from '../../../core/index.ts';
import { findJobs, jobList, retryAction } from './list.ts';

export const jobs: ConsolePageContent = { render: jobList, find: findJobs, actions: { retry: retryAction } };

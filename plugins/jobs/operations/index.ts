import { listJobs } from './list-jobs.ts';
import { retryJob } from './retry-job.ts';

export const operations = [listJobs, retryJob] as const;

import { listEntries } from './list-entries.ts';
import { listRequests } from './list-requests.ts';

export const operations = [listEntries, listRequests] as const;

import { listEntries } from './list-entries.ts';

export const operations = [listEntries] as const;

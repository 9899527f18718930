import { searchOperations } from './search-operations.ts';

export const operations = [searchOperations] as const;

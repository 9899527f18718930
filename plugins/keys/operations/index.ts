import { listKeys } from './list-keys.ts';
import { readKey } from './read-key.ts';

export const operations = [listKeys, readKey] as const;

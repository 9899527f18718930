import { listDomains } from './list-domains.ts';
import { readDomain } from './read-domain.ts';
import { verifyDomain } from './verify-domain.ts';

export const operations = [listDomains, readDomain, verifyDomain] as const;

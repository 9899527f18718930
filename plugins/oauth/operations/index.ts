import { listGrants } from './list-grants.ts';
import { revokeGrant } from './revoke-grant.ts';

export const operations = [listGrants, revokeGrant] as const;

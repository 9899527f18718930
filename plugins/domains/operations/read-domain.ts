import { defineOperation, z } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { domainResource, presentDomain } from '../schema.ts';
import { canonicalDomain } from '../service.ts';
import { domainRows } from '../tables.ts';
import { someDomain, unknownDomain } from './fixture-rows.ts';

export const domainParams = z.object({ domain: z.string().min(1).max(253).describe('Such as mail.example.com.') });

export const readDomain = defineOperation({
  id: 'domains.read',
  summary: 'Read a sending domain',
  description: 'The DNS records to publish, and for each what the last check found and what to do. Does not query DNS.',
  http: 'GET /v1/domains/{domain}',
  scopes: ['connectors:read'],
  idempotency: 'read',
  input: { params: domainParams },
  output: domainResource,
  errors: ['domain_not_found'],
  fixture: async (kit) => ({
    params: { domain: await someDomain(kit, kit.workspaceId) },
    foreign: { domain: await someDomain(kit, kit.foreignWorkspaceId) },
    errors: { domain_not_found: async () => ({ params: { domain: unknownDomain } }) },
  }),

  async handler({ trx, services }, { params }) {
    const domain = canonicalDomain(params.domain);
    const row = await domainRows.findBy(trx, { domain });
    if (row === undefined) throw errors.domain_not_found({ domain });
    return presentDomain(row, services.domains.recordsFor(row));
  },
});

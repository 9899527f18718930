import { defineOperationWithPrepare } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { domainResource, presentDomain } from '../schema.ts';
import { canonicalDomain } from '../service.ts';
import { domainRows } from '../tables.ts';
import { someDomain, unknownDomain } from './fixture-rows.ts';
import { domainParams } from './read-domain.ts';

/** Within this time after a check, its result is returned without a look-up, so that nobody floods name servers through the service. */
const minCheckIntervalMs = 10_000;

export const verifyDomain = defineOperationWithPrepare({
  id: 'domains.verify',
  summary: 'Check the DNS records of a sending domain',
  description: `Looks up the DNS records and stores the result. Once the DKIM record is found, the domain is verified: mail from it is accepted and signed, also if a later check fails. Within ${minCheckIntervalMs / 1_000} seconds after a check, its result is returned.`,
  http: 'POST /v1/domains/{domain}/verify',
  scopes: ['domains:verify'],
  // Both sides share the domains, and live mail leaves from them.
  liveOnly: true,
  idempotency: 'natural',
  input: { params: domainParams },
  output: domainResource,
  errors: ['domain_not_found'],
  audit: { action: 'domain.verify', target: ({ id }) => ({ kind: 'domain', id }) },
  fixture: async (kit) => ({
    params: { domain: await someDomain(kit, kit.workspaceId) },
    foreign: { domain: await someDomain(kit, kit.foreignWorkspaceId) },
    errors: { domain_not_found: async () => ({ params: { domain: unknownDomain } }) },
  }),

  async prepare(ctx, { params }) {
    const domain = canonicalDomain(params.domain);
    const row = await ctx.read(({ trx }) => domainRows.findBy(trx, { domain }));
    if (row === undefined) throw errors.domain_not_found({ domain });
    const isFresh = row.checked_at !== null && ctx.now - row.checked_at < minCheckIntervalMs;
    return { row, records: isFresh ? undefined : await ctx.services.domains.lookUp(row, ctx.signal) };
  },

  async handler(ctx, _, { row, records }) {
    const { domains } = ctx.services;
    const after = records === undefined ? row : (await domains.storeCheck(ctx, row, records)).row;
    return presentDomain(after, domains.recordsFor(after));
  },
});

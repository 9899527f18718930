import { defineList } from '../../../core/index.ts';
import { domainSummary, presentSummary } from '../schema.ts';
import { domainRows } from '../tables.ts';
import { someDomain } from './fixture-rows.ts';

export const listDomains = defineList({
  id: 'domains.list',
  summary: 'List sending domains',
  description:
    'Newest first, with what the last check of DNS found. Only the embedding program adds and deletes domains.',
  http: 'GET /v1/domains',
  scopes: ['connectors:read'],
  rows: domainRows,
  item: domainSummary,
  present: presentSummary,
  exampleRow: someDomain,
});

import { defineList } from '../../../core/index.ts';
import { suppressionReason, suppressionResource } from '../schema.ts';
import { presentSuppression, rows } from '../store.ts';
import { suppressedAddress } from './fixture-rows.ts';

export const listSuppressions = defineList({
  id: 'suppressions.list',
  summary: 'List suppressions',
  description: 'Addresses that get no mail, the newest first. A sandbox key sees those of the sandbox only.',
  http: 'GET /v1/suppressions',
  tool: 'list_suppressions',
  scopes: ['suppressions:read'],
  rows,
  item: suppressionResource,
  present: presentSuppression,
  filters: { reason: suppressionReason.optional() },
  conditions:
    (_query, { now }) =>
    (columns) => [columns.or([columns('expires_at', 'is', null), columns('expires_at', '>', now)])],
  one: suppressedAddress,
});

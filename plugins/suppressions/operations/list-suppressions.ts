import { defineList, normaliseAddress, pseudonymOf, z } from '../../../core/index.ts';
import { suppressionReason, suppressionResource } from '../schema.ts';
import { presentSuppression, rows } from '../store.ts';
import { suppressedAddress } from './fixture-rows.ts';

export const listSuppressions = defineList({
  id: 'suppressions.list',
  summary: 'List suppressions',
  description: 'Addresses that get no mail, the newest first. A sandbox key sees only the suppressions of the sandbox.',
  http: 'GET /v1/suppressions',
  tool: 'list_suppressions',
  scopes: ['suppressions:read'],
  rows,
  item: suppressionResource,
  present: presentSuppression,
  filters: {
    reason: suppressionReason.optional(),
    email: z.string().min(1).max(254).optional().describe('One address; compared in its normalised form.'),
  },
  customFilters: ['email'],
  conditions:
    ({ email }, { now, trx: { workspaceId } }) =>
    (columns) => [
      columns.or([columns('expires_at', 'is', null), columns('expires_at', '>', now)]),
      ...(email === undefined
        ? []
        : [columns('email', 'in', [normaliseAddress(email), pseudonymOf(workspaceId, normaliseAddress(email))])]),
    ],
  exampleRow: suppressedAddress,
});

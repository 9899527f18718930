// Policies as the API shows them.
import { toIsoTimeOrNull, type z } from '../../core/index.ts';
import type { PolicyValues, policyResource } from './schema.ts';
import type { PolicyRow } from './tables.ts';

export const presentPolicy = (
  surfaceKind: z.output<typeof policyResource>['surfaceKind'],
  values: PolicyValues,
  row: Pick<PolicyRow, 'updated_at' | 'updated_by'> | undefined,
): z.input<typeof policyResource> => ({
  surfaceKind,
  ...values,
  updatedAt: toIsoTimeOrNull(row?.updated_at ?? null),
  updatedBy: row?.updated_by ?? null,
});

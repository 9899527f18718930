import type { z } from '../../core/index.ts';
import { toIsoTime, toIsoTimeOrNull } from '../../core/index.ts';
import type { suppressionResource } from './schema.ts';
import type { SuppressionRow } from './tables.ts';

export const presentSuppression = (row: SuppressionRow): z.input<typeof suppressionResource> => ({
  email: row.email,
  reason: row.reason,
  scope: row.scope,
  send_id: row.send_id,
  note: row.note,
  created_at: toIsoTime(row.created_at),
  expires_at: toIsoTimeOrNull(row.expires_at),
});

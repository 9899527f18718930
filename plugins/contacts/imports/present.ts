// Imports as the API shows them.
import { toIsoTime, toIsoTimeOrNull } from '../../../core/index.ts';
import type { ContactImport } from './schema.ts';
import type { ContactImportRow } from './tables.ts';

export const presentImport = (row: ContactImportRow): ContactImport => ({
  import_id: row.id,
  status: row.status,
  total: row.total,
  created: row.created,
  updated: row.updated,
  unchanged: row.unchanged,
  rejected: row.rejected,
  faults: [...row.faults],
  ignored_columns: [...row.ignored_columns],
  created_at: toIsoTime(row.created_at),
  finished_at: toIsoTimeOrNull(row.finished_at),
});

import { column, defineTable, type RowOf, type StoredRow } from '../../core/index.ts';

export type SuppressionReason = 'hard_bounce' | 'complaint' | 'unsubscribe' | 'soft_bounces' | 'manual';

export const suppressions = defineTable(
  'suppressions',
  {
    /** The normalised address, or its pseudonym if the person was erased. */
    email: column.address(),
    reason: column.word<SuppressionReason>(),
    scope: column.word<'all' | 'marketing'>(),
    send_id: column.id('snd').nullable(),
    note: column.text(500).nullable(),
    created_at: column.time(),
    expires_at: column.time().nullable(),
  },
  {
    sides: true,
    key: 'email',
    // The address is unique, and its pseudonym may already be on the list. The plugin handles that case.
    personal: { columns: { email: 'address', note: 'text' }, rows: 'plugin' },
  },
);

export interface SuppressionRow extends RowOf<typeof suppressions> {}

declare module '../../core/contract/open.ts' {
  interface Tables {
    suppressions: StoredRow<typeof suppressions>;
  }
}

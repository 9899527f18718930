import type { TableDeclaration } from '../../core/index.ts';

export type SuppressionReason = 'hard_bounce' | 'complaint' | 'unsubscribe' | 'manual';

export interface SuppressionRow {
  workspace_id: string;
  /** The normalised address. */
  email: string;
  reason: SuppressionReason;
  scope: 'all' | 'marketing';
  send_id: string | null;
  note: string | null;
  created_at: number;
  expires_at: number | null;
}

declare module '../../core/contract/open.ts' {
  interface Tables {
    suppressions: SuppressionRow;
  }
}

export const tables: Readonly<Record<string, TableDeclaration>> = {
  suppressions: {
    tenant: true,
    // The address is unique: its pseudonym may be on the list already.
    personal: { columns: { email: 'address', note: 'words' }, rows: 'plugin' },
  },
};

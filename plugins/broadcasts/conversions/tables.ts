// Conversions: custom events that followed a mail. A mail of a broadcast, or of another plugin that sends mail step by step.
import { column, defineTable, type RowOf, type StoredRow, type TenantRows, tenantRows } from '../../../core/index.ts';

/** Why a mail has the conversion: the contact clicked in it, or it was only the last one that arrived. */
export type ConversionBasis = 'clicked' | 'delivered';

export const broadcastConversions = defineTable(
  'broadcast_conversions',
  {
    id: column.id('bcv'),
    /** Unique: an event counts once. */
    event_id: column.id('evt'),
    event_type: column.key(),
    /** Null once the person was erased. */
    contact_id: column.id('con').nullable(),
    send_id: column.id('snd'),
    /** The plugin that sent the mail: `broadcasts`, or a contributor of `broadcasts.conversion_sources`. */
    source: column.key(),
    /** What the mail belongs to there: a broadcast, or a sequence. */
    source_id: column.key(),
    /** The step of a sequence; null for a broadcast. */
    step: column.key().nullable(),
    basis: column.word<ConversionBasis>(),
    /** The value in whole units; null without a value. */
    whole: column.integer().nullable(),
    /** Ten-thousandths of the value. */
    fraction: column.integer().nullable(),
    /** Null without a value, and if the currency is not known. */
    currency: column.key().nullable(),
    /** When the event happened. */
    at: column.time(),
    created_at: column.time(),
  },
  { sides: true, personal: { columns: { contact_id: 'person' }, rows: 'plugin' } },
);

export interface ConversionRow extends RowOf<typeof broadcastConversions> {}
export const conversionRows: TenantRows<ConversionRow> = tenantRows(broadcastConversions);

declare module '../../../core/contract/open.ts' {
  interface Tables {
    broadcast_conversions: StoredRow<typeof broadcastConversions>;
  }
}

// Conversions: custom events that are attributed to a mail of a broadcast, or to a mail of another plugin that sends mail step by step.
import { column, defineTable, type RowOf, type StoredRow, type TenantRows, tenantRows } from '../../../core/index.ts';

/**
 * The reason why the conversion is attributed to the mail. `clicked`: the contact clicked in it; `delivered`: the contact clicked in no
 * mail, and this mail was delivered last.
 */
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
    /** The id of the broadcast or sequence that the mail belongs to. */
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
    /** The time of the event. */
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

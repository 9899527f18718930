// The recipients of broadcasts, and their counts. The broadcasts are in broadcasts.ts.
import { column, defineTable, type RowOf, type StoredRow, type TenantRows, tenantRows } from '../../core/index.ts';

/**
 * The state of a recipient. `queued`: the mail is accepted and not handed over. `parked`: like queued, but its broadcast was paused.
 * `handed_over`: the mail was handed over, whatever happened to it then. `undecided`: it waits until the experiment is decided.
 */
export type RecipientState =
  | 'waiting'
  | 'undecided'
  | 'queued'
  | 'parked'
  | 'handed_over'
  | 'failed'
  | 'canceled'
  | 'excluded';

/** The reason why the contact may be written to. `list`: it is a confirmed member of a list of the audience. */
export type ConsentBasis = 'list' | 'topic';

/** One contact of the audience of a broadcast. */
export const broadcastRecipients = defineTable(
  'broadcast_recipients',
  {
    id: column.id('brr'),
    broadcast_id: column.id('brc'),
    /** Null once the person was erased. */
    contact_id: column.id('con').nullable(),
    /** The normalised address. Unique within a broadcast. Null if there is none, or another recipient has it. */
    address: column.address().nullable(),
    /** The domain of the address, once the mail is accepted. It stays when the person is erased. */
    domain: column.key().nullable(),
    basis: column.word<ConsentBasis>(),
    state: column.word<RecipientState>(),
    reason: column.key().nullable(),
    holdout: column.flag(),
    /** The name of the variant that the recipient gets in an experiment. Null before it is known, and without an experiment. */
    variant: column.key().nullable(),
    send_id: column.id('snd').nullable(),
    /**
     * The time from which the mail may be accepted; null if it never may. For a held-out contact: the time of its turn, null afterwards.
     */
    due_at: column.time().nullable(),
    /** The time of the last change of the state. */
    at: column.time(),
    delivered_at: column.time().nullable(),
    opened_at: column.time().nullable(),
    clicked_at: column.time().nullable(),
    bounced_at: column.time().nullable(),
    complained_at: column.time().nullable(),
    unsubscribed_at: column.time().nullable(),
    converted_at: column.time().nullable(),
    /** The time at which the turn of the contact came, whether the contact got the mail or not. Null if the broadcast has no holdout. */
    turn_at: column.time().nullable(),
    /** The time of the first conversion in the measured period after the turn, whichever mail the conversion is attributed to. */
    responded_at: column.time().nullable(),
    created_at: column.time(),
  },
  {
    sides: true,
    // The plugin erases rows itself: a recipient whose turn has not come is excluded, which changes the counts.
    personal: { columns: { contact_id: 'person', address: 'address', reason: 'mentions' }, rows: 'plugin' },
  },
);

/** A change of a count of a broadcast. Reads sum the rows, and a job replaces them by their sums from time to time. */
export const broadcastTallies = defineTable(
  'broadcast_tallies',
  { id: column.id('brt'), broadcast_id: column.id('brc'), name: column.key(), amount: column.integer() },
  { sides: true },
);

export interface RecipientRow extends RowOf<typeof broadcastRecipients> {}
export interface BroadcastTallyRow extends RowOf<typeof broadcastTallies> {}

export const recipientRows: TenantRows<RecipientRow> = tenantRows(broadcastRecipients);
export const tallyRows: TenantRows<BroadcastTallyRow> = tenantRows(broadcastTallies, { time: 'amount' });

/** The domain of an address, for reports by domain. */
export const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).slice(0, 200);

declare module '../../core/contract/open.ts' {
  interface Tables {
    broadcast_recipients: StoredRow<typeof broadcastRecipients>;
    broadcast_tallies: StoredRow<typeof broadcastTallies>;
  }
}

// The conversions of one person: as an export shows them, and their erasure.
import { type TransactionContext, toIsoTime } from '../../../core/index.ts';
import { type ConversionRow, conversionRows } from './tables.ts';
import { decimalOf } from './values.ts';

/** A conversion as an export of its person shows it. */
export const presentConversion = ({ event_id, event_type, send_id, source, whole, ...row }: ConversionRow) => ({
  eventId: event_id,
  eventType: event_type,
  sendId: send_id,
  source,
  sourceId: row.source_id,
  step: row.step,
  basis: row.basis,
  value: whole === null ? null : decimalOf(BigInt(whole), BigInt(row.fraction ?? 0)),
  currency: row.currency,
  at: toIsoTime(row.at),
});

/** The maximum number of conversions of a person that one transaction erases. */
const batch = 200;

/** Removes a person from their conversions. Returns whether there may be more. */
export async function eraseConversions({ trx }: TransactionContext, personId: string): Promise<boolean> {
  const conversions = await conversionRows.page(trx, { where: { contact_id: personId }, limit: batch });
  for (const { id } of conversions) await conversionRows.update(trx, id, { contact_id: null });
  return conversions.length === batch;
}

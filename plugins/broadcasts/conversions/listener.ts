// Attributes each custom event to at most one mail, in the transaction of the event: to the last mail in which the contact clicked or,
// without a click, to the last mail that was delivered.
import type { TransactionContext } from '../../../core/index.ts';
import type { CustomEventListener, RecordedEvent } from '../../events/index.ts';
import { recipientRows } from '../tables.ts';
import { addCounts } from '../tallies.ts';
import { type ConversionSetting, windowMsOf } from './settings.ts';
import { conversionRows } from './tables.ts';
import { findTouch, type Touch } from './touches.ts';
import { countResponses } from './turns.ts';
import { conversionValue } from './values.ts';

/** Counts the recipient of a broadcast as converted, at its first conversion only. */
async function countRecipient(ctx: TransactionContext, { sendId, sourceId }: Touch, at: number): Promise<void> {
  const recipient = await recipientRows.findBy(ctx.trx, { send_id: sendId }, 'update');
  if (recipient === undefined || recipient.converted_at !== null) return;
  await recipientRows.update(ctx.trx, recipient.id, { converted_at: at });
  addCounts(ctx, sourceId, { converted: 1 });
}

async function attribute(ctx: TransactionContext, event: RecordedEvent, setting: ConversionSetting): Promise<void> {
  const touch = await findTouch(ctx, event, windowMsOf(setting));
  if (touch === undefined) return;
  const { amount, currency } = conversionValue(setting, event.metadata);
  await conversionRows.insert(ctx.trx, {
    id: ctx.newId('bcv'),
    event_id: event.id,
    event_type: event.type,
    contact_id: event.contactId,
    send_id: touch.sendId,
    source: touch.source,
    source_id: touch.sourceId,
    step: touch.step,
    basis: touch.basis,
    whole: amount?.whole ?? null,
    fraction: amount?.fraction ?? null,
    currency,
    at: event.at,
    created_at: ctx.now,
  });
  if (touch.source === 'broadcasts') await countRecipient(ctx, touch, event.at);
}

/** Creates the listener. It has no state. */
export const createConversionListener = (): CustomEventListener => ({
  async recorded(ctx, event) {
    const setting = ctx.workspace.settings.conversions?.find(({ eventType }) => eventType === event.type);
    if (setting === undefined) return;
    await countResponses(ctx, event, windowMsOf(setting));
    await attribute(ctx, event, setting);
  },
});

// The recipients and conversions of a person, and recipients with an address of that person: a contact may have had the address when the
// audience was stored. An erasure empties them; the counts and values stay.
import { type PersonalData, toIsoTime } from '../../core/index.ts';
import { eraseConversions, presentConversion } from './conversions/person.ts';
import { conversionRows } from './conversions/tables.ts';
import { statusOf } from './present-recipient.ts';
import { eraseRecipients, recipientsOf } from './store.ts';

export const personalData: PersonalData = {
  async export({ trx }, { personId, emails }, limit) {
    const recipients = await recipientsOf(trx, { personId, emails }, limit);
    const converted =
      personId === null ? [] : await conversionRows.page(trx, { where: { contact_id: personId }, limit });
    return {
      broadcast_recipients: recipients.map((row) => ({
        broadcastId: row.broadcast_id,
        email: row.address,
        status: statusOf(row.state),
        reason: row.reason,
        variant: row.variant,
        sendId: row.send_id,
        at: toIsoTime(row.at),
      })),
      conversions: converted.map(presentConversion),
    };
  },

  async erase(ctx, person) {
    const hasMore = [
      await eraseRecipients(ctx, person),
      person.personId !== null && (await eraseConversions(ctx, person.personId)),
    ];
    return hasMore.includes(true) ? 'more' : 'done';
  },
};

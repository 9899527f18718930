// Attributes `timezone` that name no zone, on the timeline of their contact: once a contact and value. The steps of runs note them.
import { defineTimelineSource, type TransactionContext, z } from '../../core/index.ts';
import type { KnownContact } from '../contacts/index.ts';
import { unknownZone } from './interpreter/paths.ts';
import { unknownZoneRows } from './tables.ts';

/** Notes that a run uses the zone of its sequence, because the contact's own names none. */
export async function noteUnknownZone(effects: TransactionContext, contact: KnownContact): Promise<void> {
  const named = unknownZone(contact);
  if (named === undefined) return;
  // What no database stores as text: zero bytes, halves of a character.
  const zone = named.replace(/\p{Cs}/gu, '\ufffd').replaceAll('\u0000', '\ufffd');
  const { trx, now } = effects;
  // Read first: on MySQL an insert that passes over a row locks it.
  if ((await unknownZoneRows.findBy(trx, { contact_id: contact.id, zone })) !== undefined) return;
  const row = { id: effects.newId('sqz'), contact_id: contact.id, zone, seen_at: now };
  await unknownZoneRows.insertUnlessTaken(trx, row);
}

export const zoneTimeline = defineTimelineSource({
  kind: 'timezone_unknown',
  fields: z.object({
    timezone: z.string().describe('The attribute of the contact, shortened.'),
    message: z.string(),
  }),

  list: async ({ trx: handle }, { personId }, { limit, after }) =>
    (await unknownZoneRows.page(handle, { where: { contact_id: personId }, limit, after })).map(
      ({ id, zone, seen_at: createdAt }) => ({
        id,
        createdAt,
        fields: {
          timezone: zone,
          message:
            'This attribute timezone names no zone: sequences use their own. Give a name such as Europe/Vienna, or an offset such as +02:00.',
        },
      }),
    ),
});

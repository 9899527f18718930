// Shows invalid values of the attribute `timezone` on the contact's timeline, each value once. Run steps record them.
import { defineTimelineSource, type TransactionContext, z } from '../../core/index.ts';
import type { KnownContact } from '../contacts/index.ts';
import { unknownZone } from './interpreter/paths.ts';
import { unknownZoneRows } from './tables.ts';

/** Records that a run uses the sequence's zone because the contact's own zone is not valid. */
export async function recordUnknownZone(ctx: TransactionContext, contact: KnownContact): Promise<void> {
  const attribute = unknownZone(contact);
  if (attribute === undefined) return;
  // Replaces zero bytes and unpaired surrogates, because databases cannot store them as text.
  const zone = attribute.replace(/\p{Cs}/gu, '\ufffd').replaceAll('\u0000', '\ufffd');
  const { trx, now } = ctx;
  // Read first, because on MySQL an insert that skips an existing row locks that row.
  if ((await unknownZoneRows.findBy(trx, { contact_id: contact.id, zone })) !== undefined) return;
  const row = { id: ctx.newId('sqz'), contact_id: contact.id, zone, seen_at: now };
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
            'The attribute timezone is not a valid time zone, so sequences use their own time zone. Set a name such as Europe/Vienna, or an offset such as +02:00.',
        },
      }),
    ),
});

// The memberships of a person, with their consents. The core removes confirmation mails to an address.
import { type PersonalData, toIsoTime, toIsoTimeOrNull } from '../../core/index.ts';
import { changeCounts, deleteMembers, lockCounts, membersAmong, membershipsOf } from './store.ts';

/** The maximum number of memberships that one transaction removes. */
const batch = 200;

export const personalData: PersonalData = {
  async export({ trx: handle }, { personId }, limit) {
    const memberships = personId === null ? [] : await membershipsOf(handle, personId, limit);
    return {
      list_memberships: memberships.map(({ addedAt, confirmedAt, ...shown }) => ({
        ...shown,
        addedAt: toIsoTime(Number(addedAt)),
        confirmedAt: toIsoTimeOrNull(confirmedAt === null ? null : Number(confirmedAt)),
      })),
    };
  },

  async erase({ trx }, { personId }) {
    if (personId === null) return 'done';
    const memberRows = await trx.db
      .selectFrom('list_members')
      .select('list_id')
      .where('contact_id', '=', personId)
      // All callers lock several lists in this order.
      .orderBy('list_id')
      .limit(batch)
      .execute();
    for (const { list_id: listId } of memberRows) {
      const counts = await lockCounts(trx, listId);
      const member = (await membersAmong(trx, listId, [personId])).get(personId);
      if (member === undefined) continue;
      await deleteMembers(trx, listId, [personId]);
      await changeCounts(trx, counts, member.status === 'confirmed' ? { confirmed: -1 } : { unconfirmed: -1 });
    }
    return memberRows.length < batch ? 'done' : 'more';
  },
};

// The contacts plugin's part of exports and erasures: the contact and its timeline.
import {
  normaliseAddress,
  type PersonalData,
  type PersonRecord,
  toIsoTime,
  type WorkspaceHandle,
} from '../../core/index.ts';
import { clearAuditMetadata } from '../../core/unstable.ts';
import { excludeFromImports, lockImports } from './imports/erased-people.ts';
import { eraseAgain } from './jobs/erase-contact.ts';
import { phoneOf } from './phone.ts';
import { presentContact, presentEvent, suppressedAmong } from './present.ts';
import { activityRows, contactRows, listFormerAddresses, listLatestEvents, removeEvents } from './store.ts';
import type { ContactRow } from './tables.ts';

/** The maximum number of events of a timeline that one transaction removes. */
const batch = 200;

/** The contact's record with its current and former addresses, including phone numbers. */
async function recordOf(handle: WorkspaceHandle, row: ContactRow): Promise<PersonRecord> {
  const { id, external_id, email } = row;
  const former = await listFormerAddresses(handle, id);
  const present = [email, phoneOf(row)].flatMap((address) => (typeof address === 'string' ? [address] : []));
  return { personId: id, externalId: external_id, email, emails: [...new Set([...present, ...former])] };
}

export const personalData: PersonalData = {
  async identify(handle, { personId, externalId, email }, lock) {
    // An import locks its own row before the contacts, so this function locks in the same order.
    if (lock !== undefined) await lockImports(handle);
    const address = email === undefined ? undefined : normaliseAddress(email);
    const contacts =
      personId !== undefined
        ? [await contactRows.findBy(handle, { id: personId }, lock)]
        : [
            externalId === undefined ? undefined : await contactRows.findBy(handle, { external_id: externalId }, lock),
            address === undefined ? undefined : await contactRows.findBy(handle, { email: address }, lock),
          ];
    const rows = new Map(contacts.flatMap((row) => (row === undefined ? [] : [[row.id, row]])));
    const records = await Promise.all([...rows.values()].map((row) => recordOf(handle, row)));
    const [first, ...otherRecords] = records;
    if (first === undefined || address === undefined) return records;
    // If the caller gives an address together with the contact, the address belongs to the same person.
    return [{ ...first, emails: [...new Set([...first.emails, address])] }, ...otherRecords];
  },

  async export(ctx, { personId }, limit) {
    const { trx: handle } = ctx;
    const row = personId === null ? undefined : await contactRows.find(handle, personId);
    if (row === undefined) return { contacts: [], events: [], activity: [] };
    const suppressed = await suppressedAmong(ctx, [row], ctx.now);
    const [events, activity, former] = await Promise.all([
      listLatestEvents(handle, row.id, limit),
      activityRows.findIn(handle, 'contact_id', [row.id]),
      listFormerAddresses(handle, row.id),
    ]);
    return {
      contacts: [
        { ...presentContact(row, suppressed), address_as_given: row.address_as_given, former_addresses: former },
      ],
      events: events.map((row) => presentEvent(row, handle)),
      activity: activity.slice(0, limit).map(({ type, first_at: first, last_at: last, count }) => ({
        type,
        first: toIsoTime(first),
        last: toIsoTime(last),
        count,
      })),
    };
  },

  async erase({ trx, enqueue, now, ports }, subject) {
    await excludeFromImports(trx, subject);
    const { personId: contactId } = subject;
    if (contactId === null) return 'done';
    const events = await listLatestEvents(trx, contactId, batch);
    // The audit stores the metadata of a custom event. Its entry has the same time as the event.
    await clearAuditMetadata(
      trx,
      { kind: 'contact', id: contactId },
      events.map(({ ts }) => ts),
    );
    await removeEvents(trx, contactId, events);
    if (await contactRows.remove(trx, contactId)) enqueue(eraseAgain(ports.keyring, trx, contactId, now));
    return events.length < batch ? 'done' : 'more';
  },
};

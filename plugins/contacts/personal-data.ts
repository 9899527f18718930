// The contacts plugin's part of exports and erasures: the contact and its timeline.
import { normaliseAddress, type PersonalData, type PersonRecord, type WorkspaceHandle } from '../../core/index.ts';
import { clearAuditMetadata } from '../../core/unstable.ts';
import { eraseAgain } from './jobs/erase-contact.ts';
import { phoneOf } from './phone.ts';
import { presentContact, presentEvent, suppressedAmong } from './present.ts';
import { contactRows, listFormerAddresses, listLatestEvents, removeEvents } from './store.ts';
import type { ContactRow } from './tables.ts';

/** How many events of a timeline one transaction removes. */
const batch = 200;

/** The contact's record with its current and former addresses, including phone numbers. */
async function recordOf(handle: WorkspaceHandle, row: ContactRow): Promise<PersonRecord> {
  const { id, external_id, email } = row;
  const former = await listFormerAddresses(handle, id);
  const present = [email, phoneOf(row)].flatMap((address) => (typeof address === 'string' ? [address] : []));
  return { personId: id, externalId: external_id, email, emails: [...new Set([...present, ...former])] };
}

export const personalData: PersonalData = {
  async identify(handle, { personId, externalId, email }) {
    const address = email === undefined ? undefined : normaliseAddress(email);
    const found =
      personId !== undefined
        ? [await contactRows.find(handle, personId)]
        : [
            externalId === undefined ? undefined : await contactRows.findBy(handle, { external_id: externalId }),
            address === undefined ? undefined : await contactRows.findBy(handle, { email: address }),
          ];
    const rows = new Map(found.flatMap((row) => (row === undefined ? [] : [[row.id, row]])));
    const records = await Promise.all([...rows.values()].map((row) => recordOf(handle, row)));
    const [first, ...others] = records;
    if (first === undefined || address === undefined) return records;
    // If an address is given together with the contact, it belongs to the same person.
    return [{ ...first, emails: [...new Set([...first.emails, address])] }, ...others];
  },

  async export(ctx, { personId }, limit) {
    const { trx: handle } = ctx;
    const row = personId === null ? undefined : await contactRows.find(handle, personId);
    if (row === undefined) return { contacts: [], events: [] };
    const suppressed = await suppressedAmong(ctx, [row], ctx.now);
    const [events, former] = await Promise.all([
      listLatestEvents(handle, row.id, limit),
      listFormerAddresses(handle, row.id),
    ]);
    return {
      contacts: [
        { ...presentContact(row, suppressed), address_as_given: row.address_as_given, former_addresses: former },
      ],
      events: events.map((row) => presentEvent(row, handle)),
    };
  },

  async erase({ trx, enqueue, now, ports }, { personId: contactId }) {
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

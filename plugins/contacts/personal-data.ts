// What contacts know of a person: the contact and its timeline.
import type { PersonalData, PersonRecord, WorkspaceHandle } from '../../core/index.ts';
import { normaliseAddress } from '../../core/index.ts';
import { clearAuditMetadata } from '../../core/unstable.ts';
import { eraseAgain } from './jobs/erase-contact.ts';
import { presentContact, presentEvent, suppressedAmong } from './present.ts';
import { contactRows, listFormerAddresses, listLatestEvents, removeEvents } from './store.ts';
import type { ContactRow } from './tables.ts';

/** So many lines of a timeline go in one transaction. */
const batch = 200;

/** The person with every address that they have and had. */
async function recordOf(handle: WorkspaceHandle, { id, external_id, email }: ContactRow): Promise<PersonRecord> {
  const former = await listFormerAddresses(handle, id);
  return { personId: id, externalId: external_id, email, emails: email === null ? former : [email, ...former] };
}

export const personalData: PersonalData = {
  async identify(handle, { personId, externalId, email }) {
    const said = email === undefined ? undefined : normaliseAddress(email);
    const found =
      personId !== undefined
        ? [await contactRows.find(handle, personId)]
        : [
            externalId === undefined ? undefined : await contactRows.findBy(handle, { external_id: externalId }),
            said === undefined ? undefined : await contactRows.findBy(handle, { email: said }),
          ];
    const rows = new Map(found.flatMap((row) => (row === undefined ? [] : [[row.id, row]])));
    const records = await Promise.all([...rows.values()].map((row) => recordOf(handle, row)));
    const [first, ...others] = records;
    if (first === undefined || said === undefined) return records;
    // An address that is said beside the contact is the person's, too.
    return [{ ...first, emails: [...new Set([...first.emails, said])] }, ...others];
  },

  async export(handle, { personId }, surface, limit) {
    const row = personId === null ? undefined : await contactRows.find(handle, personId);
    if (row === undefined) return { contacts: [], events: [] };
    const suppressed = await suppressedAmong(surface, handle, [row], surface.ports.now());
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

  async erase({ trx, enqueue, now }, { personId: contactId }, { ports }) {
    if (contactId === null) return 'done';
    const events = await listLatestEvents(trx, contactId, batch);
    // The audit keeps what a custom event carried; its entry is of the same instant.
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

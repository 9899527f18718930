// What contacts know of a person: the contact and its timeline.
import type { DataSubject, PersonalData, WorkspaceHandle } from '../../core/index.ts';
import { normaliseAddress } from '../../core/index.ts';
import { clearAuditMetadata } from '../../core/unstable.ts';
import { listFormerAddresses } from './former-addresses/store.ts';
import { eraseAgain } from './jobs/erase-contact.ts';
import { presentContact, presentEvent, suppressedAmong } from './present.ts';
import { deleteContact, findByEmail, findContact, listLatestEvents, removeEvents } from './store.ts';
import type { ContactRow } from './tables.ts';

/** So many lines of a timeline go in one transaction. */
const batch = 200;

/** The person with every address that they have and had. */
export async function subjectOf(handle: WorkspaceHandle, { id, external_id, email }: ContactRow): Promise<DataSubject> {
  const former = await listFormerAddresses(handle, id);
  return { personId: id, externalId: external_id, emails: email === null ? former : [email, ...former] };
}

export const personalData: PersonalData = {
  async identify(handle, { personId, email }) {
    const named = email === undefined ? undefined : normaliseAddress(email);
    const row =
      personId === undefined
        ? named === undefined
          ? undefined
          : await findByEmail(handle, named)
        : await findContact(handle, personId);
    if (row === undefined) return undefined;
    const subject = await subjectOf(handle, row);
    // An address that is said beside the contact is the person's, too.
    return named === undefined ? subject : { ...subject, emails: [...new Set([...subject.emails, named])] };
  },

  async export(handle, { personId }, surface, limit) {
    const row = personId === null ? undefined : await findContact(handle, personId);
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
      events: events.map(presentEvent),
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
    if (await deleteContact(trx, contactId)) enqueue(eraseAgain(ports.keyring, trx.workspaceId, contactId, now));
    return events.length < batch ? 'done' : 'more';
  },
};

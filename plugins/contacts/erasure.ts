// Forgetting a contact: a round over everything composed in the transaction of the call, the rest in a job.
// Called by contacts.delete.
import type { Effects, ServiceSurface } from '../../core/index.ts';
import { eraseJobKind, sealSubject } from './jobs/erase-contact.ts';
import { subjectOf } from './personal-data.ts';
import { findContact } from './store.ts';

/** Answers whether there was such a contact. */
export async function eraseContact({ ports }: ServiceSurface, effects: Effects, contactId: string): Promise<boolean> {
  const row = await findContact(effects.trx, contactId);
  if (row === undefined) return false;
  const subject = await subjectOf(effects.trx, row);
  await ports.personalData.erase(effects, subject);
  // Always: what can be found by reading alone is looked through outside the transaction.
  effects.enqueue({
    kind: eraseJobKind,
    payload: { sealed: sealSubject(ports.keyring, effects.workspace.id, subject) },
  });
  return true;
}

// Erases a contact: one round over all plugins in the transaction of the call, the rest in a job.
// Called by contacts.delete.
import type { Effects, ServiceSurface } from '../../core/index.ts';
import { eraseJobKind, sealSubjects } from './jobs/erase-contact.ts';
import { contactRows } from './store.ts';

/** Answers whether the caller's side of the workspace had such a contact. A live caller erases the person on both sides. */
export async function eraseContact({ ports }: ServiceSurface, effects: Effects, contactId: string): Promise<boolean> {
  if ((await contactRows.find(effects.trx, contactId)) === undefined) return false;
  const subjects = await ports.personalData.identify(effects.trx, { personId: contactId });
  await ports.personalData.erase(effects, subjects);
  // Always enqueued: rows without an index are scanned outside the transaction.
  const sealed = sealSubjects(ports.keyring, effects.workspace.id, subjects);
  effects.enqueue({ kind: eraseJobKind, payload: { sealed } });
  return true;
}

// Erases a contact: one round over all plugins in the transaction of the call. A job erases the remaining rows. Called by
// contacts.delete.
import type { TransactionContext } from '../../core/index.ts';
import { eraseJobKind, sealIdentifiers } from './jobs/erase-contact.ts';
import { contactRows } from './store.ts';

/** Returns whether the contact exists on the caller's side of the workspace. A live caller erases the person on both sides. */
export async function eraseContact(ctx: TransactionContext, contactId: string): Promise<boolean> {
  if ((await contactRows.find(ctx.trx, contactId)) === undefined) return false;
  const subjects = await ctx.ports.personalData.identify(ctx.trx, { personId: contactId }, 'update');
  await ctx.ports.personalData.erase(ctx, subjects);
  // Always enqueued, because this transaction does not scan for rows without an index.
  const sealed = sealIdentifiers(ctx.ports.keyring, ctx.workspace.id, subjects);
  ctx.enqueue({ kind: eraseJobKind, payload: { sealed } });
  return true;
}

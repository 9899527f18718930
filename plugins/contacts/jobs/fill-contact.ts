// Reads a contact from the program's source when its external id is used for the first time.
import { defineJob, isPostriderError, type TransactionContext, z } from '../../../core/index.ts';
import { notesOf } from '../audit-notes.ts';
import { resolveContact } from '../resolve-contact.ts';
import { fillJobKind, logInvalidContact, patchesOf, withTimeLimit } from '../source.ts';
import { contactRows } from '../store.ts';

export const fillContact = defineJob({
  kind: fillJobKind,
  payload: z.object({ contactId: z.string() }),
  // The source may call another system.
  lane: 'outbound',

  async handler(ctx, { contactId }) {
    const service = ctx.services.contactSource;
    const contact = await ctx.read(({ trx }) => contactRows.find(trx, contactId));
    const externalId = contact?.external_id ?? null;
    if (service === undefined || externalId === null) return ctx.complete();
    const { source, timeoutMs } = service;
    const answer = await withTimeLimit(
      (options) => source.read(ctx.workspace.id, [externalId], options),
      timeoutMs,
      ctx.signal,
    );
    const ownContacts = answer.filter(({ external_id: id }) => id === externalId);
    const [patch] = patchesOf(ctx, ctx.workspace.id, ownContacts);
    const fill = async (tx: TransactionContext): Promise<void> => {
      // The contact may have been erased after the source was read. Storing the result would create the contact again.
      const now = await contactRows.find(tx.trx, contactId);
      if (patch === undefined || now?.external_id !== externalId) return;
      const resolved = await resolveContact(tx, patch, { create: false });
      if (resolved.movedFrom !== undefined)
        tx.audit('contact.upsert', { kind: 'contact', id: contactId }, notesOf(contactId, resolved));
    };
    try {
      await ctx.complete(fill);
    } catch (error) {
      // The source returned, for example, too many attributes. Another attempt would get the same result.
      if (!isPostriderError(error) || error.code !== 'validation_failed') throw error;
      logInvalidContact(ctx, ctx.workspace.id, undefined, error.message);
      await ctx.complete();
    }
  },
});

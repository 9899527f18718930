// What the program knows of somebody whose external id came up for the first time.
import type { Effects } from '../../../core/index.ts';
import { defineJob, isPostriderError, z } from '../../../core/index.ts';
import { notesOf } from '../notes.ts';
import { resolveContact } from '../resolve.ts';
import { fillJobKind, inTime, patchesOf, tellUnstored } from '../source.ts';
import { contactRows } from '../store.ts';

export const fillContact = defineJob({
  kind: fillJobKind,
  payload: z.object({ contactId: z.string() }),
  // It waits for somebody else's system.
  lane: 'outbound',

  async handler(ctx, { contactId }) {
    const service = ctx.services.contactSource;
    const contact = await ctx.read((handle) => contactRows.find(handle, contactId));
    const externalId = contact?.external_id ?? null;
    if (service === undefined || externalId === null) return ctx.complete();
    const { source, timeoutMs } = service;
    const answer = await inTime(
      (options) => source.read(ctx.workspace.id, [externalId], options),
      timeoutMs,
      ctx.signal,
    );
    const own = answer.filter(({ external_id: id }) => id === externalId);
    const [patch] = patchesOf(ctx, ctx.workspace.id, own);
    const fill = async (effects: Effects): Promise<void> => {
      // Erased meanwhile, nobody is made again out of what the source said before.
      const now = await contactRows.find(effects.trx, contactId);
      if (patch === undefined || now?.external_id !== externalId) return;
      const resolved = await resolveContact(ctx, effects, patch, false);
      if (resolved.movedFrom !== undefined)
        effects.audit('contact.upsert', { kind: 'contact', id: contactId }, notesOf(contactId, resolved));
    };
    try {
      await ctx.complete(fill);
    } catch (error) {
      // Too many attributes, for instance: to ask again would bring the same.
      if (!isPostriderError(error) || error.code !== 'validation_failed') throw error;
      tellUnstored(ctx, ctx.workspace.id, undefined, error.message);
      await ctx.complete();
    }
  },
});

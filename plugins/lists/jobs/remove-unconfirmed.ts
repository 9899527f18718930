// Removes members of a list who did not confirm within 30 days after they were added and after the last confirmation mail, in small
// transactions.
import { defineJob, z } from '../../../core/index.ts';
import { validMs } from '../confirmation/ask.ts';
import { listRows } from '../contact-lists.ts';
import { removeMembers } from '../members.ts';
import { askedSince, listUnconfirmed, type UnconfirmedPlace } from '../store.ts';
import { removeUnconfirmedKind } from './kinds.ts';

const batch = 500;

export const removeUnconfirmed = defineJob({
  kind: removeUnconfirmedKind,
  payload: z.object({ listId: z.string() }),
  lane: 'bulk',
  timeoutMs: 300_000,

  async handler(ctx, { listId }) {
    let after: UnconfirmedPlace | undefined = { addedAt: 0, contactId: '' };
    while (after !== undefined) {
      ctx.signal.throwIfAborted();
      const from: UnconfirmedPlace = after;
      after = await ctx.checkpoint(async (effects) => {
        const { trx, now } = effects;
        if ((await listRows.find(trx, listId)) === undefined) return undefined;
        const found = await listUnconfirmed(trx, listId, now - validMs, from, batch);
        const ids = found.map(({ contactId }) => contactId);
        const people = await ctx.services.contacts.read(trx, ids);
        const emails = people.flatMap(({ email }) => (email === null ? [] : [email]));
        // If a later mail was sent, its link is still valid.
        const asked = await askedSince(trx, listId, emails, now - validMs);
        const kept = new Set(people.filter(({ email }) => email !== null && asked.has(email)).map(({ id }) => id));
        const late = ids.filter((id) => !kept.has(id));
        // A member who confirms at this moment is no longer unconfirmed when the counts are locked.
        if (late.length > 0) await removeMembers(effects, listId, late, 'unconfirmed');
        return found.length < batch ? undefined : found.at(-1);
      });
    }
    await ctx.complete();
  },
});

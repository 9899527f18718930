// Removes members of a list who did not confirm within 30 days after they were added and after the last confirmation mail, in small
// transactions.
import { defineJob, z } from '../../../core/index.ts';
import { validMs } from '../confirmation/send-confirmations.ts';
import { listRows } from '../contact-lists.ts';
import { removeMembers } from '../members.ts';
import { confirmationsSince, listUnconfirmed, type UnconfirmedPosition } from '../store.ts';
import { removeUnconfirmedKind } from './kinds.ts';

const batch = 500;

export const removeUnconfirmed = defineJob({
  kind: removeUnconfirmedKind,
  payload: z.object({ listId: z.string() }),
  lane: 'bulk',
  timeoutMs: 300_000,

  async handler(ctx, { listId }) {
    // One run reads all unconfirmed members. If the job ran in turns, each turn would read the members who stay again.
    let after: UnconfirmedPosition | undefined = { addedAt: 0, contactId: '' };
    while (after !== undefined) {
      ctx.signal.throwIfAborted();
      const from: UnconfirmedPosition = after;
      after = await ctx.checkpoint(async (tx) => {
        const { trx, now } = tx;
        if ((await listRows.find(trx, listId)) === undefined) return undefined;
        const unconfirmed = await listUnconfirmed(trx, listId, now - validMs, from, batch);
        const ids = unconfirmed.map(({ contactId }) => contactId);
        const people = await ctx.services.contacts.read(trx, ids);
        const emails = people.flatMap(({ email }) => (email === null ? [] : [email]));
        // A later mail has a link that is still valid, so its recipient stays a member.
        const confirmations = await confirmationsSince(trx, listId, emails, now - validMs);
        const recentlyAsked = new Set(
          people.filter(({ email }) => email !== null && confirmations.has(email)).map(({ id }) => id),
        );
        const expiredIds = ids.filter((id) => !recentlyAsked.has(id));
        // A member who confirms at this moment is no longer unconfirmed once the counts are locked, and stays.
        if (expiredIds.length > 0) await removeMembers(tx, listId, expiredIds, 'unconfirmed');
        return unconfirmed.length < batch ? undefined : unconfirmed.at(-1);
      });
    }
    await ctx.complete();
  },
});

// Deletes the preferences of a deleted topic on one side, in small transactions. Opt-outs by a link in a mail stay. Preferences that
// were set after the deletion stay, too: they belong to a new topic with the same key.
import { defineJob, z } from '../../../core/index.ts';
import { removeSomePreferences } from '../store.ts';
import { removePreferencesKind } from './kinds.ts';

const batch = 1_000;

export const removePreferences = defineJob({
  kind: removePreferencesKind,
  payload: z.object({ key: z.string(), deletedAt: z.int() }),
  lane: 'bulk',
  timeoutMs: 300_000,

  async handler(ctx, { key, deletedAt: until }) {
    // One job deletes everything. Each further job would start at the first address, and read the opt-outs that stay again.
    let after: string | undefined = '';
    while (after !== undefined) {
      ctx.signal.throwIfAborted();
      const from: string = after;
      after = await ctx.checkpoint(({ trx }) => removeSomePreferences(trx, key, { after: from, until, limit: batch }));
    }
    await ctx.complete();
  },
});

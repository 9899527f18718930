import { defineJob, z } from '../../../core/index.ts';
import { assetKey, uploadKey } from '../keys.ts';

/** Removes the bytes of a deleted asset. If this fails, the sweep removes them. */
export const removeBytes = defineJob({
  kind: 'assets.remove_bytes',
  payload: z.object({ assetId: z.string() }),
  lane: 'outbound',
  async handler(ctx, { assetId }) {
    const { signal, workspace } = ctx;
    const store = await ctx.ports.assets.of(workspace.id);
    for (const key of [assetKey(workspace.id, assetId), uploadKey(workspace.id, assetId)])
      await store.delete(key, { signal });
  },
});

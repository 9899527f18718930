import { coreErrors, defineOperation, idParameter, z } from '../../../core/index.ts';
import { removeAsset } from '../create-service.ts';
import { errors } from '../errors.ts';
import { pixelBase64, someAsset } from '../schema.ts';
import { assetRows, useRows } from '../tables.ts';

/** The maximum number of users that the error names. */
const maxNamed = 20;

export const deleteAsset = defineOperation({
  id: 'assets.delete',
  summary: 'Delete an asset',
  description:
    'The file is removed soon after. Refused while a brand, a published page or post, or a scheduled post uses the asset. Each side deletes its own assets.',
  http: 'DELETE /v1/assets/{assetId}',
  tool: { name: 'delete_asset', destructive: true },
  scopes: ['assets:write'],
  idempotency: 'natural',
  input: { params: z.object({ assetId: idParameter('asset') }) },
  output: z.object({ assetId: z.string(), deleted: z.literal(true) }),
  errors: ['asset_not_found', 'asset_in_use', 'live_key_required', 'state_conflict'],
  audit: { action: 'asset.delete', target: ({ assetId }) => ({ kind: 'asset', id: assetId }) },
  fixture: async (kit) => ({
    params: { assetId: await someAsset(kit, kit.workspaceId) },
    foreign: { assetId: await someAsset(kit, kit.foreignWorkspaceId) },
    errors: {
      asset_in_use: async (own) => {
        const assetId = await someAsset(own, own.workspaceId);
        const user = { kind: 'brand', id: own.unique('brd_'), isPublic: true };
        await own.write((ctx) => own.services.assets.use(ctx, user, [assetId]));
        return { params: { assetId } };
      },
      live_key_required: 'unreachable here: shown in test/plugins/assets-upkeep.test.ts',
      state_conflict: async (own) => {
        const stored = await own.services.assets.store(
          { workspace: { id: own.workspaceId } },
          { name: 'Of the sandbox', source: 'render', bytes: Buffer.from(pixelBase64, 'base64') },
        );
        await own.write((ctx) => own.services.assets.add({ ...ctx, sandbox: true }, stored));
        return { params: { assetId: stored.assetId } };
      },
    },
  }),

  async handler(ctx, { params: { assetId } }) {
    const row = await assetRows.lock(ctx.trx, assetId);
    if (row === undefined) throw errors.asset_not_found({ id: assetId });
    if (!row.is_sandbox && ctx.sandbox) throw coreErrors.live_key_required();
    if (row.is_sandbox && !ctx.sandbox)
      throw coreErrors.state_conflict({
        reason: `A sandbox key made the asset ${assetId}: delete it with a sandbox key.`,
      });
    const uses = await useRows.page(ctx.trx, { where: { asset_id: assetId }, limit: maxNamed });
    if (uses.length > 0)
      throw errors.asset_in_use({ id: assetId, users: uses.map((use) => `${use.user_kind} ${use.user_id}`) });
    await removeAsset(ctx, assetId);
    return { assetId, deleted: true as const };
  },
});

import { defineOperation, z } from '../../../core/index.ts';
import { endBuildKind } from '../building/kinds.ts';
import { errors } from '../errors.ts';
import { exportUser } from '../export.ts';
import { params } from '../schema.ts';
import { leadMagnetRows } from '../tables.ts';
import { someDraft } from './fixture-rows.ts';

export const deleteLeadMagnet = defineOperation({
  id: 'lead_magnets.delete',
  summary: 'Delete a lead magnet',
  description:
    'Ends its build, and the links that forms have given away. Exported files stay in the asset library. This cannot be undone.',
  http: 'DELETE /v1/lead-magnets/{id}',
  tool: { name: 'delete_lead_magnet', destructive: true },
  scopes: ['pages:write'],
  idempotency: 'natural',
  input: { params },
  output: z.object({ id: z.string(), deleted: z.literal(true) }),
  errors: ['lead_magnet_not_found'],
  audit: { action: 'lead_magnet.delete', target: ({ id }) => ({ kind: 'lead_magnet', id }) },
  fixture: async (kit) => ({
    params: { id: await someDraft(kit, kit.workspaceId) },
    foreign: { id: await someDraft(kit, kit.foreignWorkspaceId) },
  }),

  async handler(ctx, { params: { id } }) {
    const row = await leadMagnetRows.lock(ctx.trx, id);
    if (row === undefined) throw errors.lead_magnet_not_found({ id });
    if (row.build !== null) {
      if (row.build.holdId !== null) await ctx.release(row.build.holdId);
      await ctx.cancelJob({ key: id, kind: endBuildKind });
    }
    await ctx.services.assets.use(ctx, exportUser(id), []);
    await leadMagnetRows.remove(ctx.trx, id);
    return { id, deleted: true as const };
  },
});

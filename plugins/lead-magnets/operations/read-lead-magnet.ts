import { defineOperation } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { showLeadMagnet } from '../present.ts';
import { leadMagnetResource, params } from '../schema.ts';
import { leadMagnetRows } from '../tables.ts';
import { someDraft } from './fixture-rows.ts';

export const readLeadMagnet = defineOperation({
  id: 'lead_magnets.read',
  summary: 'Read a lead magnet',
  description:
    'Its state and its whole text. The export is outdated if lastExport.contentHash differs from contentHash.',
  http: 'GET /v1/lead-magnets/{id}',
  tool: 'read_lead_magnet',
  scopes: ['pages:read'],
  idempotency: 'read',
  input: { params },
  output: leadMagnetResource,
  errors: ['lead_magnet_not_found'],
  fixture: async (kit) => ({
    params: { id: await someDraft(kit, kit.workspaceId) },
    foreign: { id: await someDraft(kit, kit.foreignWorkspaceId) },
  }),

  async handler(ctx, { params: { id } }) {
    const row = await leadMagnetRows.find(ctx.trx, id);
    if (row === undefined) throw errors.lead_magnet_not_found({ id });
    return showLeadMagnet(ctx, row);
  },
});

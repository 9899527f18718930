import { defineOperationWithPrepare, z } from '../../../core/index.ts';
import { busy } from '../errors.ts';
import { type ExportResult, finishExport, prepareExport } from '../export.ts';
import { exportPrice, params } from '../schema.ts';
import { readyOne, someDraft, unprintableOne, unwrittenOne } from './fixture-rows.ts';

/** The maximum number of concurrent exports of a workspace. */
const exportsAtOnce = 2;

export const exportLeadMagnet = defineOperationWithPrepare({
  id: 'lead_magnets.export',
  summary: 'Export a lead magnet',
  description: `Writes the PDF, in the look of the brand, into the asset library. Costs ${exportPrice} credits; without changes since the last export, it returns the same file free of charge. After an export, forms can give it away.`,
  http: 'POST /v1/lead-magnets/{id}/export',
  tool: 'export_lead_magnet',
  scopes: ['pages:export'],
  idempotency: 'replay',
  input: { params },
  output: z.object({
    assetId: z.string().nullable().describe('Null in a dry run that would make a new file.'),
    url: z.string().nullable().describe('Reads the file without a key, for 24 hours.'),
    contentHash: z.string(),
    creditsCharged: z.int(),
  }),
  errors: [
    'lead_magnet_not_found',
    'state_conflict',
    'placeholders_left',
    'lead_magnet_characters',
    'lead_magnet_renderer_missing',
    'lead_magnet_export_busy',
    'asset_store_unavailable',
    'limit_reached',
    'credits_exhausted',
  ],
  atOnce: { limit: exportsAtOnce, refused: busy },
  emits: ['budget.reached'],
  audit: { action: 'lead_magnet.export', target: (_, input) => ({ kind: 'lead_magnet', id: input.params.id }) },
  fixture: async (kit) => ({
    params: { id: await readyOne(kit, kit.workspaceId) },
    foreign: { id: await readyOne(kit, kit.foreignWorkspaceId) },
    errors: {
      state_conflict: async (own) => ({ params: { id: await someDraft(own, own.workspaceId) } }),
      placeholders_left: async (own) => ({ params: { id: await unwrittenOne(own, own.workspaceId) } }),
      lead_magnet_characters: async (own) => ({ params: { id: await unprintableOne(own, own.workspaceId) } }),
      lead_magnet_renderer_missing: 'unreachable here: shown in test/plugins/lead-magnets-pdf.test.ts',
      lead_magnet_export_busy: 'unreachable here: shown in test/plugins/lead-magnets.test.ts',
      asset_store_unavailable: 'unreachable here: shown in test/plugins/assets-upkeep.test.ts',
      limit_reached: 'unreachable here: shown in test/plugins/assets-upkeep.test.ts',
      credits_exhausted: 'unreachable here: shown in test/plugins/lead-magnets.test.ts',
    },
  }),

  prepare: (ctx, { params: { id } }): Promise<ExportResult> => prepareExport(ctx, id),
  handler: (ctx, { params: { id } }, prepared: ExportResult) => finishExport(ctx, id, prepared),
});

import { defineOperationWithPrepare, idParameter, z } from '../../../core/index.ts';
import { outlineOf, textHash } from '../content.ts';
import { briefOf, checkBrand } from '../create.ts';
import { errors } from '../errors.ts';
import { showLeadMagnet } from '../present.ts';
import { brief, chapters, coverPages, formats, leadMagnetResource, params, title } from '../schema.ts';
import { checkNotBuilding } from '../states.ts';
import { type LeadMagnetRow, leadMagnetRows } from '../tables.ts';
import { checkChapters } from '../texts.ts';
import { brandIn, noBrand, queuedOne, readyOne } from './fixture-rows.ts';

/** Chapters from the caller make it ready; without chapters there is nothing to export. */
function statusAfter({ status }: LeadMagnetRow, newChapters: readonly unknown[] | undefined): LeadMagnetRow['status'] {
  if (newChapters === undefined) return status;
  return newChapters.length > 0 ? 'ready' : 'draft';
}

export const updateLeadMagnet = defineOperationWithPrepare({
  id: 'lead_magnets.update',
  summary: 'Change a lead magnet',
  description:
    'Fields that are left out stay unchanged. chapters is the whole list in order; with chapters it is ready to export. Not while its text is being written.',
  http: 'PATCH /v1/lead-magnets/{id}',
  tool: 'update_lead_magnet',
  scopes: ['pages:write'],
  idempotency: 'replay',
  input: {
    params,
    body: z.object({
      title: title.optional(),
      format: z.enum(formats).optional(),
      brief: brief.nullable().optional(),
      coverPages: coverPages.optional(),
      chapters: chapters.optional(),
      brandId: idParameter('brd').nullable().optional().describe('null for the default brand.'),
    }),
  },
  output: leadMagnetResource,
  errors: ['lead_magnet_not_found', 'brand_not_found', 'state_conflict'],
  audit: { action: 'lead_magnet.update', target: ({ id }) => ({ kind: 'lead_magnet', id }) },
  fixture: async (kit) => ({
    params: { id: await readyOne(kit, kit.workspaceId) },
    body: { title: 'Sourdough for beginners', coverPages: 2 },
    foreign: {
      params: { id: await readyOne(kit, kit.foreignWorkspaceId) },
      body: { brandId: await brandIn(kit, kit.foreignWorkspaceId) },
    },
    errors: {
      brand_not_found: async () => ({ body: { brandId: noBrand } }),
      state_conflict: async (own) => ({ params: { id: await queuedOne(own, own.workspaceId) } }),
    },
  }),

  prepare: (_, { body }) => checkChapters(body.chapters),

  async handler(ctx, { params: { id }, body }) {
    const row = await leadMagnetRows.lock(ctx.trx, id);
    if (row === undefined) throw errors.lead_magnet_not_found({ id });
    checkNotBuilding(row);
    if (body.brandId != null) await checkBrand(ctx, body.brandId);
    const content = {
      title: body.title ?? row.title,
      format: body.format ?? row.format,
      cover_pages: body.coverPages ?? row.cover_pages,
      chapters: body.chapters ?? row.chapters,
    };
    const updated = await leadMagnetRows.change(ctx.trx, row, {
      ...content,
      ...{ outline: outlineOf(content.chapters), text_hash: textHash(content) },
      ...{ status: statusAfter(row, body.chapters), updated_at: ctx.now },
      ...(body.chapters === undefined ? {} : { error: null }),
      ...(body.brief === undefined ? {} : { brief: briefOf(body.brief) }),
      ...(body.brandId === undefined ? {} : { brand_id: body.brandId }),
    });
    return showLeadMagnet(ctx, updated);
  },
});

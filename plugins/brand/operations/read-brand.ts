import { defineOperation, idParameter, z } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { presentBrand, themesOf } from '../present.ts';
import { brandResource } from '../schema.ts';
import { findBrand } from '../store.ts';
import { someBrand } from './fixture-rows.ts';

export const readBrand = defineOperation({
  id: 'brand.read',
  summary: 'Read a brand',
  description: 'By its id; `default` names the default brand of the workspace.',
  http: 'GET /v1/brand/{id}',
  tool: 'read_brand',
  scopes: ['brand:read'],
  idempotency: 'read',
  input: { params: z.object({ id: idParameter('brd') }) },
  output: brandResource,
  errors: ['brand_not_found'],
  fixture: async (kit) => ({
    params: { id: await someBrand(kit, kit.workspaceId) },
    foreign: { id: await someBrand(kit, kit.foreignWorkspaceId) },
  }),

  async handler(ctx, { params: { id } }) {
    const row = await findBrand(ctx.trx, id);
    if (row === undefined) throw errors.brand_not_found({ id });
    return presentBrand(ctx, row, (await themesOf(ctx.trx, [row.id])).get(row.id) ?? []);
  },
});

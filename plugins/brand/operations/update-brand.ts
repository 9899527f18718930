import { coreErrors, defineOperation, idParameter, z } from '../../../core/index.ts';
import { lockWorkspace } from '../../../core/unstable.ts';
import { changeBrandValues } from '../brand-values.ts';
import { errors } from '../errors.ts';
import { checkLogoAssets, useLogoAssets } from '../logos.ts';
import { presentBrand } from '../present.ts';
import { brandFields, brandName, brandResource } from '../schema.ts';
import { clearDefault, findBrand } from '../store.ts';
import { storeThemes } from '../store-themes.ts';
import { brandRows } from '../tables.ts';
import { foreignLogosAndThemes, someBrand, tooManyThemes } from './fixture-rows.ts';

export const updateBrand = defineOperation({
  id: 'brand.update',
  summary: 'Change a brand',
  description:
    'Fields are merged: a field that is left out stays unchanged, and null restores the neutral default. themes is replaced as a list; an entry with an id keeps that theme. Published templates keep the values of their theme until they are published again.',
  http: 'PATCH /v1/brand/{id}',
  tool: { name: 'update_brand', destructive: true },
  scopes: ['brand:write'],
  liveOnly: true,
  idempotency: 'replay',
  input: {
    params: z.object({ id: idParameter('brd') }),
    body: z.object({ name: brandName.optional(), ...brandFields }),
  },
  output: brandResource,
  errors: ['brand_not_found', 'theme_in_use', 'limit_reached', 'state_conflict'],
  audit: { action: 'brand.update', target: ({ id }) => ({ kind: 'brand', id }) },
  fixture: async (kit) => ({
    params: { id: await someBrand(kit, kit.workspaceId) },
    body: { voice: { tone: 'Plain' }, palette: { accent: '#8a3ffc' } },
    foreign: { params: { id: await someBrand(kit, kit.foreignWorkspaceId) }, body: await foreignLogosAndThemes(kit) },
    errors: {
      ...tooManyThemes,
      state_conflict: async (own) => {
        await someBrand(own, own.workspaceId);
        return { params: { id: 'default' }, body: { is_default: false } };
      },
      theme_in_use: 'unreachable here: shown in test/plugins/brand.test.ts',
    },
  }),

  async handler(ctx, { params: { id }, body: { is_default: wanted, themes, name, ...fields } }) {
    await lockWorkspace(ctx.trx);
    const row = await findBrand(ctx.trx, id);
    if (row === undefined) throw errors.brand_not_found({ id });
    if (wanted === false && row.is_default)
      throw coreErrors.state_conflict({ reason: 'This is the default brand. Make another brand the default instead.' });
    if (wanted === true && !row.is_default) await clearDefault(ctx);
    await checkLogoAssets(ctx, { ...fields, themes });
    const look = changeBrandValues(row, fields);
    const isDefault = row.is_default || wanted === true;
    const changes = { name, is_default: isDefault, ...look, updated_at: ctx.now };
    const changed = await brandRows.change(ctx.trx, row, changes);
    const list = themes === undefined ? undefined : (themes ?? []);
    const storedThemes = await storeThemes(ctx, row.id, look, list);
    await useLogoAssets(ctx, changed, storedThemes);
    return presentBrand(ctx, changed, storedThemes);
  },
});

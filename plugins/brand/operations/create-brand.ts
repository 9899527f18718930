import { coreErrors, defineOperation, z } from '../../../core/index.ts';
import { lockWorkspace } from '../../../core/unstable.ts';
import { changeBrandValues, neutralBrandValues } from '../brand-values.ts';
import { checkLogoAssets, useLogoAssets } from '../logos.ts';
import { presentBrand } from '../present.ts';
import { brandFields, brandName, brandResource, maxBrands } from '../schema.ts';
import { clearDefault } from '../store.ts';
import { storeThemes } from '../store-themes.ts';
import { brandRows } from '../tables.ts';
import { foreignLogosAndThemes, tooManyThemes } from './fixture-rows.ts';

export const createBrand = defineOperation({
  id: 'brand.create',
  summary: 'Create a brand',
  description: `Only the name is needed: the rest has neutral defaults. The first brand of a workspace is always its default. A workspace has at most ${maxBrands} brands; none can be deleted.`,
  http: 'POST /v1/brand',
  tool: 'create_brand',
  scopes: ['brand:write'],
  liveOnly: true,
  idempotency: 'replay',
  input: { body: z.object({ name: brandName, ...brandFields }) },
  output: brandResource,
  status: 201,
  errors: ['limit_reached'],
  audit: { action: 'brand.create', target: ({ id }) => ({ kind: 'brand', id }) },
  fixture: async (kit) => ({
    body: {
      name: kit.unique('Northwind'),
      voice: { tone: 'Warm and short', do: ['Say what happens next'] },
      palette: { primary: '#1c5a44' },
      themes: [{ name: 'Winter', palette: { primary: '#24476b' } }],
    },
    foreign: { body: await foreignLogosAndThemes(kit) },
    errors: tooManyThemes,
  }),

  async handler(ctx, { body: { name, is_default: wanted, themes, ...fields } }) {
    await checkLogoAssets(ctx, { ...fields, themes });
    // Two concurrent calls must not create two defaults or exceed the maximum number of brands.
    await lockWorkspace(ctx.trx);
    const count = await brandRows.count(ctx.trx, {}, maxBrands);
    if (count === maxBrands) throw coreErrors.limit_reached({ limit: maxBrands, resources: 'brands' });
    const isDefault = count === 0 || wanted === true;
    if (isDefault) await clearDefault(ctx);
    const look = changeBrandValues(neutralBrandValues, fields);
    const id = ctx.newId('brd');
    const times = { created_at: ctx.now, updated_at: ctx.now };
    const row = await brandRows.insert(ctx.trx, { id, name, is_default: isDefault, ...look, ...times });
    const storedThemes = await storeThemes(ctx, id, look, themes ?? []);
    await useLogoAssets(ctx, row, storedThemes);
    return presentBrand(ctx, row, storedThemes);
  },
});

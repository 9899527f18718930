// Replaces the list of a brand's themes. Called when a brand is created or changed, inside the transaction.
import { collectReferences, coreErrors, type ErrorDetail, type OperationContext } from '../../core/index.ts';
import { type BrandValues, themeValues } from './brand-values.ts';
import { errors } from './errors.ts';
import { maxThemes, type ThemeInput } from './schema.ts';
import { type ThemeRow, themeRows } from './tables.ts';

/** Rejects ids that the brand does not have, and duplicate ids. */
function checkIds(
  ctx: OperationContext,
  themes: readonly ThemeInput[],
  themesById: ReadonlyMap<string, ThemeRow>,
): void {
  const seenIds = new Set<string>();
  const details: ErrorDetail[] = [];
  for (const [index, { id }] of themes.entries()) {
    if (id === undefined) continue;
    const path = `themes.${index}.id`;
    if (!themesById.has(id))
      details.push({ path, code: 'unknown', message: `The brand has no theme ${id}. Leave id out for a new one.` });
    if (seenIds.has(id)) details.push({ path, code: 'duplicate', message: `The theme ${id} is named twice.` });
    seenIds.add(id);
  }
  ctx.refuse(details);
}

/** @throws theme_in_use */
async function removeThemes(ctx: OperationContext, removed: readonly ThemeRow[]): Promise<void> {
  for (const { id } of removed) {
    const users = await collectReferences(ctx, 'brand.theme_references', id);
    if (users.length > 0) throw errors.theme_in_use({ id, users });
    await themeRows.remove(ctx.trx, id);
  }
}

/**
 * Makes `input` the themes of the brand and returns them in order. undefined leaves them unchanged.
 * @throws limit_reached, theme_in_use, validation_failed for an id that the brand does not have
 */
export async function storeThemes(
  ctx: OperationContext,
  brandId: string,
  brandValues: BrandValues,
  input: readonly ThemeInput[] | undefined,
): Promise<ThemeRow[]> {
  // Locked. A template that starts to use a theme also locks it, so that a theme in use is never removed.
  const storedThemes = await themeRows.findIn(
    ctx.trx,
    'brand_id',
    [brandId],
    input === undefined ? undefined : 'update',
  );
  if (input === undefined) return storedThemes.sort((one, other) => one.position - other.position);
  if (input.length > maxThemes) throw coreErrors.limit_reached({ limit: maxThemes, resources: 'themes a brand' });
  const themesById = new Map(storedThemes.map((theme) => [theme.id, theme]));
  checkIds(ctx, input, themesById);
  const keptIds = new Set(input.map(({ id }) => id));
  await removeThemes(
    ctx,
    storedThemes.filter(({ id }) => !keptIds.has(id)),
  );
  const themes: ThemeRow[] = [];
  for (const [position, theme] of input.entries()) {
    const values = { ...themeValues(brandValues, theme), position };
    const before = theme.id === undefined ? undefined : themesById.get(theme.id);
    themes.push(
      before === undefined
        ? await themeRows.insert(ctx.trx, { id: ctx.newId('thm'), brand_id: brandId, created_at: ctx.now, ...values })
        : await themeRows.change(ctx.trx, before, values),
    );
  }
  return themes;
}

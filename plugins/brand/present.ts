// Brands as the API shows them.
import { presenter, type ServiceContext, type WorkspaceHandle } from '../../core/index.ts';
import { contrastWarnings } from './contrast.ts';
import { presentLogo, presentLogos } from './logos.ts';
import { brandResource, themeResource } from './schema.ts';
import { type BrandRow, brands, brandThemes, type ThemeRow, themeRows } from './tables.ts';

const shownBrand = presenter(brands, brandResource.omit({ themes: true, warnings: true, logos: true }));
const shownTheme = presenter(brandThemes, themeResource.omit({ logo: true }));

/** A brand with its themes. */
export function presentBrand(context: ServiceContext, row: BrandRow, themes: readonly ThemeRow[]) {
  const { created_at, updated_at, ...shown } = shownBrand(row);
  const logos = presentLogos(context, row.logos);
  const presentTheme = (theme: ThemeRow) => ({ ...shownTheme(theme), logo: presentLogo(context, theme.logo) });
  const warnings = [
    ...contrastWarnings(row.palette, 'palette'),
    ...themes.flatMap(({ palette }, index) => contrastWarnings(palette, `themes.${index}.palette`)),
  ];
  return { ...shown, logos, themes: themes.map(presentTheme), warnings, created_at, updated_at };
}

/** The themes of these brands, in the order of each brand's list. */
export async function themesOf(
  handle: WorkspaceHandle,
  brandIds: readonly string[],
): Promise<ReadonlyMap<string, ThemeRow[]>> {
  const themes = new Map<string, ThemeRow[]>(brandIds.map((id) => [id, []]));
  for (const theme of await themeRows.findIn(handle, 'brand_id', brandIds)) themes.get(theme.brand_id)?.push(theme);
  for (const list of themes.values()) list.sort((one, other) => one.position - other.position);
  return themes;
}

// `ctx.services.brands`: brands and themes for other plugins.
import type { ServiceContext, WorkspaceHandle } from '../../core/index.ts';
import type { PageAppearances } from '../../core/unstable.ts';
import type { BrandValues } from './brand-values.ts';
import { errors } from './errors.ts';
import { presentLogo, presentLogos } from './logos.ts';
import type { BrandLogo, BrandLogos, Fonts, Palette } from './schema.ts';
import { type BrandRow, brandRows, themeRows } from './tables.ts';

/** The values of a theme. */
export interface ThemeValues {
  readonly brandId: string;
  readonly name: string;
  readonly palette: Palette;
  readonly fonts: Fonts;
  readonly logo: BrandLogo | null;
  /** The radius of corners, in px. */
  readonly radius: number;
}

/** A brand's values, for composing content in its style. */
export interface BrandStyle extends Omit<BrandValues, 'logos'> {
  readonly logos: BrandLogos;
  readonly id: string;
  readonly name: string;
}

/** `ctx.services.brands`. */
export interface BrandsService {
  /** A theme of the workspace. `lock` prevents its removal until the transaction ends. (Default: no lock) */
  theme(handle: WorkspaceHandle, id: string, lock?: 'share'): Promise<ThemeValues | undefined>;
  /** A brand by its id, or the workspace's default brand if no id is given. */
  style(handle: WorkspaceHandle, id?: string): Promise<BrandStyle | undefined>;
  /** The brand of a theme, or the workspace's default brand if there is no such theme. */
  brandOf(handle: WorkspaceHandle, themeId: string | null): Promise<BrandStyle | undefined>;
  /** The error for an unknown brand id, so that other plugins throw the same error. */
  notFound(id: string): Error;
}

const defaultBrand = (handle: WorkspaceHandle) => brandRows.findBy(handle, { is_default: true });

/** `ctx.services.pageAppearances`: the public pages of a workspace use the style of its default brand. */
export const createPageAppearances = (context: ServiceContext): PageAppearances => ({
  async of(handle) {
    const brand = await defaultBrand(handle);
    if (brand === undefined) return undefined;
    const { name, palette, fonts, imprint_url: imprintUrl, privacy_url: privacyUrl } = brand;
    const { primary, background, text } = palette;
    const { light, dark, mark } = presentLogos(context, brand.logos);
    return {
      ...{ name, primary, background, text, heading: fonts.heading, body: fonts.body, imprintUrl, privacyUrl },
      ...{ logos: { light: light?.url ?? null, dark: dark?.url ?? null }, icon: mark?.url ?? null },
    };
  },
});

const styleOf = (context: ServiceContext, row: BrandRow): BrandStyle => ({
  ...row,
  logos: presentLogos(context, row.logos),
});

/** Makes the service. It has no state. */
export const createBrandsService = (context: ServiceContext): BrandsService => ({
  async theme(handle, id, lock) {
    const row = await themeRows.findBy(handle, { id }, lock);
    if (row === undefined) return undefined;
    const { brand_id: brandId, name, palette, fonts, logo, radius } = row;
    return { brandId, name, palette, fonts, logo: presentLogo(context, logo), radius };
  },

  async style(handle, id) {
    const row = await (id === undefined ? defaultBrand(handle) : brandRows.find(handle, id));
    return row === undefined ? undefined : styleOf(context, row);
  },

  async brandOf(handle, themeId) {
    const theme = themeId === null ? undefined : await themeRows.find(handle, themeId);
    const brandOfTheme = theme === undefined ? undefined : await brandRows.find(handle, theme.brand_id);
    const row = brandOfTheme ?? (await defaultBrand(handle));
    return row === undefined ? undefined : styleOf(context, row);
  },

  notFound: (id) => errors.brand_not_found({ id }),
});

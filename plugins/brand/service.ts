// `ctx.services.brands`: brands and themes for other plugins.
import type { ServiceContext, WorkspaceHandle } from '../../core/index.ts';
import type { PageLooks } from '../../core/unstable.ts';
import { errors } from './errors.ts';
import { shownLogo, shownLogos } from './logos.ts';
import type { Look } from './look.ts';
import type { Fonts, Logo, Logos, Palette } from './schema.ts';
import { brandRows, themeRows } from './tables.ts';

/** The values of a theme. */
export interface ThemeValues {
  readonly brandId: string;
  readonly name: string;
  readonly palette: Palette;
  readonly fonts: Fonts;
  readonly logo: Logo | null;
  /** In px. */
  readonly radius: number;
}

/** A brand's values, for composing content in its style. */
export interface BrandLook extends Omit<Look, 'logos'> {
  readonly logos: Logos;
  readonly id: string;
  readonly name: string;
}

/** `ctx.services.brands`. */
export interface BrandsService {
  /** A theme of the workspace. `lock` prevents its removal until the transaction ends. (Default: no lock) */
  theme(handle: WorkspaceHandle, id: string, lock?: 'share'): Promise<ThemeValues | undefined>;
  /** A brand by its id, or the workspace's default brand if no id is given. */
  look(handle: WorkspaceHandle, id?: string): Promise<BrandLook | undefined>;
  /** The error for an unknown brand id, so that other plugins throw the same error. */
  notFound(id: string): Error;
}

const defaultBrand = (handle: WorkspaceHandle) => brandRows.findBy(handle, { is_default: true });

/** `ctx.services.pageLooks`: the public pages of a workspace use the style of its default brand. */
export const createPageLooks = (): PageLooks => ({
  async of(handle) {
    const brand = await defaultBrand(handle);
    if (brand === undefined) return undefined;
    const { name, palette, fonts } = brand;
    const { primary, background, text } = palette;
    return { name, primary, background, text, heading: fonts.heading, body: fonts.body };
  },
});

/** Makes the service. It has no state. */
export const createBrandsService = (context: ServiceContext): BrandsService => ({
  async theme(handle, id, lock) {
    const row = await themeRows.findBy(handle, { id }, lock);
    if (row === undefined) return undefined;
    const { brand_id: brandId, name, palette, fonts, logo, radius } = row;
    return { brandId, name, palette, fonts, logo: shownLogo(context, logo), radius };
  },

  async look(handle, id) {
    const row = await (id === undefined ? defaultBrand(handle) : brandRows.find(handle, id));
    return row === undefined ? undefined : { ...row, logos: shownLogos(context, row.logos) };
  },

  notFound: (id) => errors.brand_not_found({ id }),
});

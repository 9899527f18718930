import {
  column,
  defineTable,
  type RowOf,
  type StoredRow,
  type TableDeclaration,
  type TenantRows,
  tenantRows,
  timestamps,
} from '../../core/index.ts';
import type { Fonts, Palette, StoredLogo, StoredLogos, Voice } from './schema.ts';

/** The live and sandbox sides of a workspace share its brands. */
export const brands = defineTable('brands', {
  id: column.id('brd'),
  name: column.text(200),
  is_default: column.flag(),
  voice: column.json<Voice>(),
  palette: column.json<Palette>(),
  fonts: column.json<Fonts>(),
  logos: column.json<StoredLogos>(),
  /** Lines, each ended by a line feed except the last. */
  postal_address: column.text(2_000).nullable(),
  imprint_url: column.text(2_048).nullable(),
  privacy_url: column.text(2_048).nullable(),
  ...timestamps,
});

/** The themes of brands. `position` is the index in the brand's list. */
export const brandThemes = defineTable('brand_themes', {
  id: column.id('thm'),
  brand_id: column.id('brd'),
  position: column.integer(),
  name: column.text(200),
  palette: column.json<Palette>(),
  fonts: column.json<Fonts>(),
  logo: column.json<StoredLogo>().nullable(),
  radius: column.integer(),
  created_at: column.time(),
});

export interface BrandRow extends RowOf<typeof brands> {}
export interface ThemeRow extends RowOf<typeof brandThemes> {}
export const brandRows: TenantRows<BrandRow> = tenantRows(brands);
export const themeRows: TenantRows<ThemeRow> = tenantRows(brandThemes);

declare module '../../core/contract/open.ts' {
  interface Tables {
    brands: StoredRow<typeof brands>;
    brand_themes: StoredRow<typeof brandThemes>;
  }
}

export const tables: Readonly<Record<string, TableDeclaration>> = { brands, brand_themes: brandThemes };

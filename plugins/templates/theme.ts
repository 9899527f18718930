// The theme of a template: the Liquid variable `theme`, frozen with each version. Called when themes are named, published and
// rendered.
import type { ServiceSurface, WorkspaceHandle } from '../../core/index.ts';
import type { BrandsService, ThemeValues } from '../brand/index.ts';
import { errors } from './errors.ts';
import type { Placeholder } from './language/placeholders.ts';

type Services = Pick<ServiceSurface, 'services'>;
type Font = ThemeValues['fonts']['body'];

/** The name under which templates read their theme; a template without a theme may have a variable of this name. */
export const themeVariable = 'theme';

/** The fonts after the family, by its kind. */
export const stacks = {
  sans: 'Helvetica, Arial, sans-serif',
  serif: "Georgia, 'Times New Roman', serif",
  mono: 'Menlo, Consolas, monospace',
} as const;

/** A CSS family, without quotes where CSS needs none: they would be escaped in attributes. */
export const cssFamily = (name: string): string => (/(^| )[0-9-]/.test(name) ? `'${name}'` : name);

const fontOf = ({ family, fallback }: Font) => ({
  family,
  fallback,
  css: `${cssFamily(family)}, ${stacks[fallback]}`,
});

/** What a template sees as `theme`. */
export const themeContext = ({ name, palette, fonts, logo, radius }: ThemeValues) => ({
  name,
  palette,
  fonts: { heading: fontOf(fonts.heading), body: fontOf(fonts.body) },
  logo,
  radius,
});

export type ThemeContext = ReturnType<typeof themeContext>;

/** Where the plugin of brands is not composed, there are no themes. */
const brandsOf = ({ services }: Services): BrandsService | undefined => services.brands;

/** Keeps a theme from being removed until the transaction ends. @throws theme_not_found */
export async function requireTheme(
  ctx: Services & { readonly trx: WorkspaceHandle },
  themeId: string | null | undefined,
): Promise<void> {
  if (themeId === undefined || themeId === null) return;
  if ((await existingTheme(ctx, themeId)) === null) throw errors.theme_not_found({ id: themeId });
}

/** The theme where it still exists, kept from being removed until the transaction ends; else null. */
export async function existingTheme(
  ctx: Services & { readonly trx: WorkspaceHandle },
  themeId: string | null,
): Promise<string | null> {
  const theme = themeId === null ? undefined : await brandsOf(ctx)?.theme(ctx.trx, themeId, 'share');
  return theme === undefined ? null : themeId;
}

/** The present values of a template's theme. */
export async function loadTheme(
  ctx: Services,
  handle: WorkspaceHandle,
  themeId: string | null,
): Promise<ThemeContext | undefined> {
  const theme = themeId === null ? undefined : await brandsOf(ctx)?.theme(handle, themeId);
  return theme === undefined ? undefined : themeContext(theme);
}

/** The placeholders that callers fill: a template with a theme gets `theme` from there. */
export const placeholdersOfCallers = <P extends Pick<Placeholder, 'path'>>(
  placeholders: readonly P[],
  themeId: string | null | undefined,
): readonly P[] =>
  themeId === null || themeId === undefined
    ? placeholders
    : placeholders.filter(({ path }) => path[0] !== themeVariable);

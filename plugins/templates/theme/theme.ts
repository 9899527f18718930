// The theme of a template: the Liquid variable `theme`, frozen with each version. Called when themes are set, published
// and rendered.
import type { ReadContext, ServiceContext, WorkspaceHandle } from '../../../core/index.ts';
import { didYouMean } from '../../../core/unstable.ts';
import type { BrandsService, ThemeValues } from '../../brand/index.ts';
import type { ContractNode } from '../contract/node.ts';
import { type Contract, missingPlaceholders } from '../contract/schema.ts';
import { errors } from '../errors.ts';
import type { Placeholder } from '../language/placeholders.ts';
import { dark, light, sans } from '../starters/palette.ts';
import { lightened, readableOn } from './colours.ts';

type Font = ThemeValues['fonts']['body'];

/** The Liquid variable of the theme. If a contract declares a variable of this name, callers pass it instead. */
export const themeVariable = 'theme';

/** The fallback fonts after the family, by kind of font. */
export const stacks = {
  sans: 'Helvetica, Arial, sans-serif',
  serif: "Georgia, 'Times New Roman', serif",
  mono: 'Menlo, Consolas, monospace',
} as const;

/** A CSS family. It is quoted only if CSS needs that, because quotes would be escaped in attributes. */
export const cssFamily = (name: string): string => (/(^| )[0-9-]/.test(name) ? `'${name}'` : name);

const fontOf = ({ family, fallback }: Font) => ({
  family,
  fallback,
  css: `${cssFamily(family)}, ${stacks[fallback]}`,
});

/** The value of `theme` that a template reads. */
export const themeContext = ({ name, palette, fonts, logo, radius }: Omit<ThemeValues, 'brandId'>) => ({
  name,
  palette: { ...palette, onPrimary: readableOn(palette.primary) },
  dark: { primary: lightened(palette.primary), onPrimary: readableOn(lightened(palette.primary)) },
  fonts: { heading: fontOf(fonts.heading), body: fontOf(fonts.body) },
  logo,
  radius,
});

export type ThemeContext = ReturnType<typeof themeContext>;

const plainFont = { family: 'Helvetica', fallback: 'sans', css: sans } as const;

/** The theme of a workspace without brands: the look of the starters. */
export const plainTheme: ThemeContext = {
  name: 'Plain',
  palette: {
    ...{ primary: light.accent, secondary: light.soft, accent: light.accent },
    ...{ background: light.card, text: light.ink, onPrimary: light.onAccent },
  },
  dark: { primary: dark.accent, onPrimary: dark.onAccent },
  fonts: { heading: plainFont, body: plainFont },
  logo: null,
  radius: 8,
};

/** The paths of a theme's values, for authors. */
export const themePaths = [
  ...['primary', 'secondary', 'accent', 'background', 'text', 'onPrimary'].map((colour) => `theme.palette.${colour}`),
  ...['primary', 'onPrimary'].map((colour) => `theme.dark.${colour}`),
  ...['heading', 'body'].flatMap((font) => ['family', 'fallback', 'css'].map((part) => `theme.fonts.${font}.${part}`)),
  'theme.logo.url',
  'theme.radius',
  'theme.name',
] as const;

/** The same paths in one line, for descriptions. */
export const themePathsInShort =
  'theme.palette.primary (secondary, accent, background, text, onPrimary), theme.dark.primary (onPrimary), theme.fonts.body.css (heading; css, family, fallback), theme.logo.url (empty without a logo), theme.radius, theme.name';

/** The same paths as a contract; every value has the type string. */
const themeNode = themePaths.reduce<ContractNode>((node, path) => withPath(node, path.split('.')), { type: 'object' });

function withPath(node: ContractNode, [step, ...rest]: readonly string[]): ContractNode {
  if (step === undefined) return { type: 'string' };
  const child = withPath(node.properties?.[step] ?? { type: 'object' }, rest);
  return { ...node, properties: { ...node.properties, [step]: child } };
}

/** The placeholders that read a theme path that does not exist. */
export const unknownThemePaths = <P extends Pick<Placeholder, 'path'>>(placeholders: readonly P[]): readonly P[] =>
  missingPlaceholders(
    themeNode,
    placeholders.filter(({ path }) => path[0] === themeVariable),
  );

/** The message for a path that does not exist in a theme: suggests the nearest path and lists all paths. */
export function unknownThemePath(name: string): string {
  // Authors name colours in many ways, so the last step alone may be right.
  const lastStep = name.split('.').at(-1);
  const pathsWithThisEnd = themePaths.filter(
    (path) => path.split('.').at(-1) === lastStep && !path.startsWith('theme.dark.'),
  );
  const suggestion =
    pathsWithThisEnd.length === 1 ? ` Did you mean ${pathsWithThisEnd[0]}?` : didYouMean(name, themePaths);
  return `which no theme has.${suggestion} A theme has ${themePaths.join(', ')}.`;
}

/** If the brands plugin is not composed, there are no themes. */
const brandsOf = ({ services }: ServiceContext): BrandsService | undefined => services.brands;

/** Prevents the removal of a theme until the transaction ends. @throws theme_not_found */
export async function requireTheme(
  ctx: ServiceContext & { readonly trx: WorkspaceHandle },
  themeId: string | null | undefined,
): Promise<void> {
  if (themeId === undefined || themeId === null) return;
  if ((await existingTheme(ctx, themeId)) === null) throw errors.theme_not_found({ id: themeId });
}

/** Returns the theme's id and prevents its removal until the transaction ends; null if the theme no longer exists. */
export async function existingTheme(
  ctx: ServiceContext & { readonly trx: WorkspaceHandle },
  themeId: string | null,
): Promise<string | null> {
  const theme = themeId === null ? undefined : await brandsOf(ctx)?.theme(ctx.trx, themeId, 'share');
  return theme === undefined ? null : themeId;
}

/** The present values of a template's theme. */
export async function loadTheme(ctx: ReadContext, themeId: string | null): Promise<ThemeContext | undefined> {
  const theme = themeId === null ? undefined : await brandsOf(ctx)?.theme(ctx.trx, themeId);
  return theme === undefined ? undefined : themeContext(theme);
}

/** The theme of the workspace's default brand, which templates without a theme of their own read at each send. */
export async function loadDefaultTheme(ctx: ReadContext): Promise<ThemeContext> {
  const brand = await brandsOf(ctx)?.style(ctx.trx);
  if (brand === undefined) return plainTheme;
  const { name, palette, fonts, logos } = brand;
  return themeContext({ name, palette, fonts, logo: logos.light, radius: plainTheme.radius });
}

/** Whether callers pass `theme` like any other variable, because a contract declares it. */
export const isThemeOfCallers = (...contracts: readonly (Contract | undefined)[]): boolean =>
  contracts.some((contract) => contract?.properties[themeVariable] !== undefined);

/** The placeholders that callers fill. `theme` comes from a brand unless a contract declares it. */
export const placeholdersOfCallers = <P extends Pick<Placeholder, 'path'>>(
  placeholders: readonly P[],
  ...contracts: readonly (Contract | undefined)[]
): readonly P[] =>
  isThemeOfCallers(...contracts) ? placeholders : placeholders.filter(({ path }) => path[0] !== themeVariable);

// The values of a brand: neutral defaults, and how the input changes them. Pure.
import type { BrandFields, Fonts, LogoInput, Palette, StoredLogo, StoredLogos, ThemeInput, Voice } from './schema.ts';

export const neutralVoice: Voice = { tone: null, personality: null, do: [], dont: [], sample: null };
export const neutralPalette: Palette = {
  primary: '#1f3a5f',
  secondary: '#5b6b7f',
  accent: '#b4541a',
  background: '#ffffff',
  text: '#1d2129',
};
export const neutralFonts: Fonts = {
  heading: { family: 'Helvetica', fallback: 'sans' },
  body: { family: 'Helvetica', fallback: 'sans' },
};
export const neutralLogos: StoredLogos = { light: null, dark: null, mark: null };

/** Applies changes to the current values. undefined keeps a value; null replaces it with the neutral value. */
function merge<T extends object>(
  neutral: T,
  before: T,
  changes: { readonly [K in keyof T]?: T[K] | null | undefined } | null | undefined,
): T {
  if (changes === null) return neutral;
  const changedFields = Object.entries(changes ?? {}).filter(([, value]) => value !== undefined);
  const fallback = neutral as Readonly<Record<string, unknown>>;
  return { ...before, ...Object.fromEntries(changedFields.map(([key, value]) => [key, value ?? fallback[key]])) };
}

const lowerCase = (palette: Palette): Palette =>
  Object.fromEntries(Object.entries(palette).map(([key, colour]) => [key, colour.toLowerCase()])) as Palette;

/** The URL in its normalised form: without spaces or quotes, so that it is safe in an attribute. */
const logoOf = (logo: LogoInput | null | undefined): StoredLogo | null => {
  if (logo?.assetId !== undefined) return { assetId: logo.assetId };
  return logo?.url === undefined ? null : { url: new URL(logo.url).href };
};

/** The parts of a brand that `fields` can change. */
export interface BrandValues {
  readonly voice: Voice;
  readonly palette: Palette;
  readonly fonts: Fonts;
  readonly logos: StoredLogos;
  readonly postal_address: string | null;
  readonly imprint_url: string | null;
  readonly privacy_url: string | null;
}

export const neutralBrandValues: BrandValues = {
  voice: neutralVoice,
  palette: neutralPalette,
  fonts: neutralFonts,
  logos: neutralLogos,
  postal_address: null,
  imprint_url: null,
  privacy_url: null,
};

/** The text of the input, or the current text if the input has none. An empty text becomes null. */
const changedText = (before: string | null, inputText: string | null | undefined): string | null =>
  inputText === undefined ? before : inputText || null;

export function changeBrandValues(before: BrandValues, fields: BrandFields): BrandValues {
  const { logos } = fields;
  const newLogos =
    logos == null
      ? logos
      : Object.fromEntries(
          Object.entries(logos)
            .filter(([, logo]) => logo !== undefined)
            .map(([key, logo]) => [key, logoOf(logo)]),
        );
  return {
    voice: merge(neutralVoice, before.voice, fields.voice),
    palette: lowerCase(merge(neutralPalette, before.palette, fields.palette)),
    fonts: merge(neutralFonts, before.fonts, fields.fonts),
    logos: merge(neutralLogos, before.logos, newLogos),
    postal_address: changedText(before.postal_address, fields.postal_address),
    imprint_url: changedText(before.imprint_url, fields.imprint_url),
    privacy_url: changedText(before.privacy_url, fields.privacy_url),
  };
}

/** A theme. Values that it omits come from its brand. */
export const themeValues = (values: BrandValues, { name, palette, fonts, logo, radius }: ThemeInput) => ({
  name,
  palette: lowerCase(merge(values.palette, values.palette, palette)),
  fonts: merge(values.fonts, values.fonts, fonts),
  logo: logo === undefined ? values.logos.light : logoOf(logo),
  radius,
});

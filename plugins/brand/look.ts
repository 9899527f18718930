// The values of a brand: neutral defaults, and how the input changes them. Pure.
import type { BrandFields, Fonts, GivenLogo, GivenTheme, KeptLogo, KeptLogos, Palette, Voice } from './schema.ts';

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
export const neutralLogos: KeptLogos = { light: null, dark: null, mark: null };

/** Applies changes to the current values. undefined keeps a value; null replaces it with the neutral value. */
function merge<T extends object>(
  neutral: T,
  before: T,
  changes: { readonly [K in keyof T]?: T[K] | null | undefined } | null | undefined,
): T {
  if (changes === null) return neutral;
  const given = Object.entries(changes ?? {}).filter(([, value]) => value !== undefined);
  const fallback = neutral as Readonly<Record<string, unknown>>;
  return { ...before, ...Object.fromEntries(given.map(([key, value]) => [key, value ?? fallback[key]])) };
}

const lowerCase = (palette: Palette): Palette =>
  Object.fromEntries(Object.entries(palette).map(([key, colour]) => [key, colour.toLowerCase()])) as Palette;

/** The URL in its normalised form: without spaces or quotes, so that it is safe in an attribute. */
const logoOf = (logo: GivenLogo | null | undefined): KeptLogo | null => {
  if (logo?.assetId !== undefined) return { assetId: logo.assetId };
  return logo?.url === undefined ? null : { url: new URL(logo.url).href };
};

/** The parts of a brand that `fields` can change. */
export interface Look {
  readonly voice: Voice;
  readonly palette: Palette;
  readonly fonts: Fonts;
  readonly logos: KeptLogos;
}

export const neutralLook: Look = {
  voice: neutralVoice,
  palette: neutralPalette,
  fonts: neutralFonts,
  logos: neutralLogos,
};

export function changeLook(before: Look, fields: BrandFields): Look {
  const { logos } = fields;
  const given =
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
    logos: merge(neutralLogos, before.logos, given),
  };
}

/** A theme. Values that it leaves out come from its brand. */
export const themeValues = (look: Look, { name, palette, fonts, logo, radius }: GivenTheme) => ({
  name,
  palette: lowerCase(merge(look.palette, look.palette, palette)),
  fonts: merge(look.fonts, look.fonts, fonts),
  logo: logo === undefined ? look.logos.light : logoOf(logo),
  radius,
});

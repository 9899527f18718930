// The colours of a page: the brand's colours if they are readable, else the nearest readable colours. Pure.
import { contrast, minContrast, readableOn } from '../../../core/unstable.ts';

/** Mixes two colours (`#rrggbb`). `share` is the share of the second colour, 0 to 1. */
export function mix(one: string, other: string, share: number): string {
  const part = (text: string, at: number): number => Number.parseInt(text.slice(at, at + 2), 16);
  const channel = (at: number): string =>
    Math.round(part(one, at) * (1 - share) + part(other, at) * share)
      .toString(16)
      .padStart(2, '0');
  return `#${channel(1)}${channel(3)}${channel(5)}`;
}

/** Moves the colour towards black or white until it has this contrast. */
function withContrast(colour: string, background: string, minContrast: number): string {
  const end = readableOn(background);
  for (let share = 0; share < 1; share += 0.1) {
    const mixed = mix(colour, end, share);
    if (contrast(mixed, background) >= minContrast) return mixed;
  }
  return end;
}

/** The colours of one scheme, light or dark. */
export interface Scheme {
  readonly paper: string;
  readonly ink: string;
  readonly muted: string;
  /** The background of bands and cards. */
  readonly soft: string;
  readonly line: string;
  /** Buttons; `onAct` is the text on them. */
  readonly act: string;
  readonly onAct: string;
  /** The border of elements whose own colour does not stand out from the background. */
  readonly edge: string;
  /** Links and numbers in texts. */
  readonly accent: string;
  readonly error: string;
}

/** The colours of a brand. */
export interface BrandColours {
  readonly primary: string;
  readonly accent: string;
  readonly background: string;
  readonly text: string;
}

const isColour = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);

function schemeOf(primary: string, accent: string, paper: string, text: string, error: string): Scheme {
  const soft = mix(paper, primary, 0.07);
  const ink = withContrast(text, soft, 7);
  return {
    ...{ paper, ink, soft, error: withContrast(error, soft, minContrast) },
    muted: withContrast(mix(ink, paper, 0.35), soft, minContrast),
    line: mix(paper, ink, 0.18),
    act: primary,
    onAct: readableOn(primary),
    edge: contrast(primary, paper) >= 3 ? primary : ink,
    accent: withContrast(accent, soft, minContrast),
  };
}

/** The light scheme of a brand, and the dark one. */
export function schemesOf(brand: BrandColours): { readonly light: Scheme; readonly dark: Scheme } {
  const primary = isColour(brand.primary) ? brand.primary : '#1f3a5f';
  const accent = isColour(brand.accent) ? brand.accent : primary;
  const paper = isColour(brand.background) ? brand.background : '#ffffff';
  const text = isColour(brand.text) ? brand.text : '#1d2129';
  const darkPaper = mix('#14161a', primary, 0.06);
  return {
    light: schemeOf(primary, accent, paper, text, '#b3261e'),
    dark: schemeOf(primary, accent, darkPaper, '#f2f2ef', '#ffb4ab'),
  };
}

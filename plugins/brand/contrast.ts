// Whether text can be read on its background: WCAG 2.2, success criterion 1.4.3. Pure.
import type { Palette } from './schema.ts';

/** The least contrast of text of ordinary size, level AA. */
const least = 4.5;

const channel = (hex: string): number => {
  const value = Number.parseInt(hex, 16) / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
};

const luminance = (colour: string): number =>
  0.2126 * channel(colour.slice(1, 3)) + 0.7152 * channel(colour.slice(3, 5)) + 0.0722 * channel(colour.slice(5, 7));

/** The contrast of two colours (`#rrggbb`), 1 to 21. */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** A text that is hard to read. */
export interface ContrastWarning {
  readonly path: string;
  readonly code: 'contrast_low';
  readonly message: string;
}

/** The warnings of one palette. `path`: where it stands, such as `themes.0.palette`. */
export function contrastWarnings({ text, background }: Palette, path: string): ContrastWarning[] {
  const ratio = contrast(text, background);
  if (ratio >= least) return [];
  const shown = (Math.floor(ratio * 100) / 100).toFixed(2);
  const message = `Text ${text} on ${background} has a contrast of ${shown} to 1; WCAG AA asks for ${least}.`;
  return [{ path: `${path}.text`, code: 'contrast_low', message }];
}

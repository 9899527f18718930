// Whether text can be read on its background: WCAG 2.2, success criterion 1.4.3. Pure.
// Called by pages in the style of a brand and by code that warns of colours that are hard to read.

/** The smallest contrast of text of ordinary size, level AA. */
export const minContrast = 4.5;

const channel = (hex: string): number => {
  const value = Number.parseInt(hex, 16) / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
};

const luminance = (colour: string): number =>
  0.2126 * channel(colour.slice(1, 3)) + 0.7152 * channel(colour.slice(3, 5)) + 0.0722 * channel(colour.slice(5, 7));

/** The contrast of two colours (`#rrggbb`), 1 to 21. */
export function contrast(first: string, second: string): number {
  const [dark = 0, light = 0] = [luminance(first), luminance(second)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const [black, white] = ['#14161a', '#ffffff'];

/** The colour if it can be read on this background, else black or white. */
export const readable = (colour: string, background: string): string => {
  if (contrast(colour, background) >= minContrast) return colour;
  return contrast(black, background) >= contrast(white, background) ? black : white;
};

/** Black or white, whichever is easier to read on this colour. */
export const readableOn = (background: string): string => readable(white, background);

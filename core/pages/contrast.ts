// Whether text can be read on its background: WCAG 2.2, success criterion 1.4.3. Pure.
// Called by pages in the style of a brand and by code that warns of colours that are hard to read.

/** The least contrast of text of ordinary size, level AA. */
export const minContrast = 4.5;

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

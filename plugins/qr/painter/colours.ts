// Computes the luminance of colours. Pure.

/** Red, green and blue of #rrggbb, each 0 to 1. */
export function channelsOf(colour: string): readonly [number, number, number] {
  const value = Number.parseInt(colour.slice(1), 16);
  return [((value >> 16) & 255) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
}

const linear = (channel: number): number => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4);

/** The relative luminance, 0 to 1 (WCAG 2.2). */
export function luminanceOf(colour: string): number {
  const [red, green, blue] = channelsOf(colour);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** Black or white, whichever is easier to read on the colour. */
export const inkOn = (colour: string): string => (luminanceOf(colour) > 0.179 ? '#000000' : '#ffffff');

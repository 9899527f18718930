// Colours that match a brand's colours: readable on them, or lighter for dark mode. Pure.

const channels = (colour: string): number[] => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
const hex = (values: readonly number[]): string =>
  `#${values.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`;

/** Perceived brightness, 0 to 1; precise enough to choose between light and dark text. */
function brightness(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channels(colour);
  return (0.299 * red + 0.587 * green + 0.114 * blue) / 255;
}

/** A text colour that is readable on a background. */
export const readableOn = (background: string): string => (brightness(background) > 0.6 ? '#14181c' : '#fdfdfd');

/** A lighter form of the colour, for dark backgrounds. */
export const lightened = (colour: string): string => hex(channels(colour).map((value) => value * 0.4 + 255 * 0.6));

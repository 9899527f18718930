// A shell in the colours and fonts of a brand. Pure; the same for the same input.
import type { ThemeValues } from '../../brand/index.ts';
import { dark, light, sans } from '../starters/palette.ts';
import { cssFamily, stacks } from '../theme.ts';

/** What a composed template looks like. */
export type Style = Pick<ThemeValues, 'palette' | 'fonts'>;

const channels = (colour: string): number[] => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
const hex = (values: readonly number[]): string =>
  `#${values.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`;

/** Perceived brightness, 0 to 1: enough to choose between light and dark text. */
const brightness = (colour: string): number => {
  const [red = 0, green = 0, blue = 0] = channels(colour);
  return (0.299 * red + 0.587 * green + 0.114 * blue) / 255;
};
const mix = (colour: string, other: string, share: number): string => {
  const to = channels(other);
  return hex(channels(colour).map((value, index) => value * (1 - share) + (to[index] ?? 0) * share));
};
const readableOn = (background: string): string => (brightness(background) > 0.6 ? '#14181c' : '#fdfdfd');

/** Colours of the shells and what replaces them. Dark mode keeps its own ground, with a lighter accent. */
function colours({ palette: { primary, background, text } }: Style): ReadonlyMap<string, string> {
  const onPrimary = readableOn(primary);
  const bright = mix(primary, '#ffffff', 0.6);
  return new Map([
    [light.accent, primary],
    [light.onAccent, onPrimary],
    [light.onBandSoft, onPrimary],
    [light.card, background],
    [light.ink, text],
    [dark.accent, bright],
    [dark.onAccent, readableOn(bright)],
  ]);
}

/** A source of a shell in the brand's style; without one as it is. */
export function styled(source: string, style: Style | undefined): string {
  if (style === undefined) return source;
  const replaced = colours(style);
  const known = new RegExp([...replaced.keys()].join('|'), 'g');
  const { family, fallback } = style.fonts.body;
  return source
    .replace(known, (colour) => replaced.get(colour) ?? colour)
    .replaceAll(sans, `${cssFamily(family)}, ${stacks[fallback]}`);
}

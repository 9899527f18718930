// A shell in the colours and fonts of a brand. Pure; the same for the same input.
import type { ThemeValues } from '../../brand/index.ts';
import { lightened, readableOn } from '../colours.ts';
import { dark, light, sans } from '../starters/palette.ts';
import { cssFamily, stacks } from '../theme.ts';

/** What a composed template looks like. */
export type Style = Pick<ThemeValues, 'palette' | 'fonts'>;

/** Colours of the shells and what replaces them. Dark mode keeps its own ground, with a lighter accent. */
function colours({ palette: { primary, background, text } }: Style): ReadonlyMap<string, string> {
  const onPrimary = readableOn(primary);
  const bright = lightened(primary);
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

/** The same colours as placeholders of the theme, so that they follow the brand at each send. */
const placeholders: ReadonlyMap<string, string> = new Map([
  [light.accent, '{{theme.palette.primary}}'],
  [light.onAccent, '{{theme.palette.onPrimary}}'],
  [light.card, '{{theme.palette.background}}'],
  [light.ink, '{{theme.palette.text}}'],
  [dark.accent, '{{theme.dark.primary}}'],
  [dark.onAccent, '{{theme.dark.onPrimary}}'],
]);

function repainted(source: string, by: ReadonlyMap<string, string>, font: string): string {
  const known = new RegExp([...by.keys()].join('|'), 'g');
  return source.replace(known, (colour) => by.get(colour) ?? colour).replaceAll(sans, font);
}

/** A source of a shell that reads the theme. */
export const themed = (source: string): string => repainted(source, placeholders, '{{theme.fonts.body.css}}');

/** A source of a shell in the brand's style; without one as it is. */
export function styled(source: string, style: Style | undefined): string {
  if (style === undefined) return source;
  const { family, fallback } = style.fonts.body;
  return repainted(source, colours(style), `${cssFamily(family)}, ${stacks[fallback]}`);
}

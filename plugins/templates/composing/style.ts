// Applies a brand's colours and fonts to a shell. Pure: the same input gives the same result.
import type { ThemeValues } from '../../brand/index.ts';
import { dark, light, sans } from '../starters/palette.ts';
import { lightened, readableOn } from '../theme/colours.ts';
import { cssFamily, stacks } from '../theme/theme.ts';

/** The look of a composed template. */
export type MailStyle = Pick<ThemeValues, 'palette' | 'fonts'>;

/** Maps the colours of the shells to their replacements. Dark mode keeps its own background, with a lighter accent. */
function colours({ palette: { primary, background, text } }: MailStyle): ReadonlyMap<string, string> {
  const onPrimary = readableOn(primary);
  const accentForDark = lightened(primary);
  return new Map([
    [light.accent, primary],
    [light.onAccent, onPrimary],
    [light.onBandSoft, onPrimary],
    [light.card, background],
    [light.ink, text],
    [dark.accent, accentForDark],
    [dark.onAccent, readableOn(accentForDark)],
  ]);
}

/** Maps the same colours to placeholders of the theme, so that they follow the brand at each send. */
const placeholders: ReadonlyMap<string, string> = new Map([
  [light.accent, '{{theme.palette.primary}}'],
  [light.onAccent, '{{theme.palette.onPrimary}}'],
  [light.card, '{{theme.palette.background}}'],
  [light.ink, '{{theme.palette.text}}'],
  [dark.accent, '{{theme.dark.primary}}'],
  [dark.onAccent, '{{theme.dark.onPrimary}}'],
]);

function repainted(source: string, replacements: ReadonlyMap<string, string>, font: string): string {
  const namesPattern = new RegExp([...replacements.keys()].join('|'), 'g');
  return source.replace(namesPattern, (colour) => replacements.get(colour) ?? colour).replaceAll(sans, font);
}

/** Returns a shell's source with placeholders of the theme in place of its colours and fonts. */
export const themed = (source: string): string => repainted(source, placeholders, '{{theme.fonts.body.css}}');

/** Returns a shell's source in the brand's style; without a style, the source is unchanged. */
export function styled(source: string, style: MailStyle | undefined): string {
  if (style === undefined) return source;
  const { family, fallback } = style.fonts.body;
  return repainted(source, colours(style), `${cssFamily(family)}, ${stacks[fallback]}`);
}

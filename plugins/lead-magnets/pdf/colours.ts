// The colours of a PDF: those of the brand, where they can be read.
import { contrast, minContrast, readableOn } from '../../../core/unstable.ts';
import type { Look } from '../content.ts';

const [ink, white] = ['#1d2129', '#ffffff'];

export interface Colours {
  /** Of the text, on white. */
  readonly ink: string;
  /** Of headings, links and labels, on white. */
  readonly strong: string;
  readonly soft: string;
  /** Of the cover. */
  readonly ground: string;
  readonly onGround: string;
  /** Of bars, which carry no text. */
  readonly accent: string;
}

const onWhite = (colour: string, otherwise: string): string =>
  contrast(colour, white) >= minContrast ? colour : otherwise;

/** Text and headings have at least the contrast of WCAG AA. Paper is white, whatever the brand's ground. */
export function coloursOf(look: Look | undefined): Colours {
  const { primary, accent, text } = look?.palette ?? { primary: '#1f3a5f', accent: '#1f3a5f', text: ink };
  const shown = onWhite(text, ink);
  return {
    ...{ ink: shown, strong: onWhite(primary, shown), soft: '#5b6270' },
    ...{ ground: primary, onGround: readableOn(primary) },
    accent: contrast(accent, white) >= 1.5 ? accent : primary,
  };
}

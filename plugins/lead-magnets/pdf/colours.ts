// The colours of a PDF: the brand's colours, if they are readable.
import { contrast, minContrast, readableOn } from '../../../core/unstable.ts';
import type { BookStyle } from '../content.ts';

const [ink, white] = ['#1d2129', '#ffffff'];

export interface Colours {
  /** The colour of the text, on white. */
  readonly ink: string;
  /** The colour of headings, links and labels, on white. */
  readonly strong: string;
  readonly soft: string;
  /** The background of the cover; `onGround` is the text on it. */
  readonly ground: string;
  readonly onGround: string;
  /** The colour of bars, which contain no text. */
  readonly accent: string;
}

const onWhite = (colour: string, fallback: string): string =>
  contrast(colour, white) >= minContrast ? colour : fallback;

/** Text and headings have at least the contrast of WCAG AA. The paper is white, whatever the brand's background. */
export function coloursOf(style: BookStyle | undefined): Colours {
  const { primary, accent, text } = style?.palette ?? { primary: '#1f3a5f', accent: '#1f3a5f', text: ink };
  const inkColour = onWhite(text, ink);
  return {
    ...{ ink: inkColour, strong: onWhite(primary, inkColour), soft: '#5b6270' },
    ...{ ground: primary, onGround: readableOn(primary) },
    accent: contrast(accent, white) >= 1.5 ? accent : primary,
  };
}

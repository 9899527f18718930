// Estimates the width of a text without the fonts of the machine: by the advance widths of Helvetica, Times and Courier (Adobe Core 14),
// which Arial, Liberation and Nimbus share. Used for SVG, which is drawn with the reader's fonts, and without sharp. Pure.
import { lettersOf } from '../../../core/unstable.ts';
import type { Font } from '../schema.ts';

/** Widths of the characters 32 to 126, in thousandths of the size. */
const table = (widths: string): readonly number[] => widths.split(' ').map(Number);

const sans = table(
  '278 278 355 556 556 889 667 222 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 222 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 334 260 334 584',
);
const sansBold = table(
  '278 333 474 556 556 889 722 278 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 333 333 584 584 584 611 975 722 722 722 722 667 611 778 722 278 556 722 611 833 722 778 667 778 722 667 611 722 667 944 667 667 611 333 278 333 584 556 278 556 611 556 611 556 333 611 611 278 278 556 278 889 611 611 611 611 389 556 333 611 556 778 556 556 500 389 280 389 584',
);
const serif = table(
  '250 333 408 500 500 833 778 333 333 333 500 564 250 333 250 278 500 500 500 500 500 500 500 500 500 500 278 278 564 564 564 444 921 722 667 667 722 611 556 722 722 333 389 722 611 889 722 722 556 722 667 556 611 722 722 944 722 722 611 333 278 333 469 500 333 444 500 444 500 444 333 500 500 278 278 500 278 778 500 500 500 500 333 389 278 500 500 722 500 500 444 480 200 480 541',
);
const serifBold = table(
  '250 333 555 500 500 1000 833 333 333 333 500 570 250 333 250 278 500 500 500 500 500 500 500 500 500 500 333 333 570 570 570 500 930 722 667 722 722 667 611 778 778 389 500 778 667 944 722 778 611 778 722 556 667 722 722 1000 722 722 667 333 278 333 581 500 333 500 556 444 556 444 333 500 556 278 333 556 278 833 556 500 556 556 444 389 333 556 500 722 500 500 444 394 220 394 520',
);

/** The width of other families, relative to the family whose table is used for them. */
const factors: Readonly<Record<string, number>> = {
  verdana: 1.18,
  'dejavu sans': 1.17,
  'dejavu serif': 1.2,
  montserrat: 1.15,
  poppins: 1.12,
  raleway: 1.06,
  nunito: 1.02,
  inter: 1.07,
  roboto: 1,
  georgia: 1.1,
  merriweather: 1.2,
  'playfair display': 1.06,
  lora: 1.08,
  'arial narrow': 0.82,
  'liberation sans narrow': 0.82,
  'roboto condensed': 0.9,
  oswald: 0.86,
};
const monoWidth = 600;
/** The width of a letter that is not in the tables, such as a Greek or Cyrillic letter. */
const otherWidth = 620;
/** Extra room, because renderers round each letter to a grid. */
const spare = 1.02;

/** A letter that is as wide as it is high. */
const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}\u3000-\u303f\uff01-\uff60]/u;
const isPlain = (letter: string): boolean => letter.length === 1 && letter >= ' ' && letter <= '~';
const isWide = (letter: string): boolean => !isPlain(letter) && wide.test(letter);

const punctuation: Readonly<Record<string, number>> = {
  '—': 1_000,
  '–': 556,
  '…': 1_000,
  '•': 350,
  '‘': 222,
  '’': 222,
};

/** Measures texts in one font. */
export interface Ruler {
  /** The width as a multiple of the letter size. */
  widthOf(text: string): number;
}

/** Gives the ruler of a font in a weight. */
export type Rulers = (font: Font, weight: number) => Ruler;

/** The ruler that estimates. */
export function rulerOf({ family, fallback }: Font, weight: number): Ruler {
  const bold = weight >= 600;
  const widths = fallback === 'serif' ? (bold ? serifBold : serif) : bold ? sansBold : sans;
  const factor = (factors[family.toLowerCase()] ?? 1) * spare;
  const letterWidth = (letter: string): number => {
    if (isWide(letter)) return 1_000;
    if (fallback === 'mono') return monoWidth;
    const tableWidth = punctuation[letter] ?? widths[(letter.normalize('NFD').codePointAt(0) ?? 0) - 32];
    return tableWidth ?? otherWidth;
  };
  return {
    widthOf(text) {
      let sum = 0;
      // Most texts are ASCII and need no segmentation.
      const letters = /^[ -~]*$/.test(text) ? text : lettersOf(text);
      for (const letter of letters) sum += letterWidth(letter);
      return (sum / 1_000) * factor;
    },
  };
}

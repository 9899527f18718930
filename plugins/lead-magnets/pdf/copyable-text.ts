// Makes the text of embedded fonts copyable. pdfkit stores one text for each glyph of a font. But fonts draw several
// letters with the same glyph: ح and ج with the same form and a separate dot. So a reader would copy the wrong letter.
// Here a glyph is embedded once for each of its texts, and the text of a letter includes its marks.
import { isPaintedRightToLeft } from './bidi.ts';
import type { Bidi } from './script-packages.ts';

interface Glyph {
  readonly id: number;
  readonly codePoints: readonly number[];
  readonly advanceWidth: number;
}

/** The parts of pdfkit's embedded font that this file uses. */
export interface EmbeddedFont {
  /** The font as fontkit read it. It keeps each glyph together with the text for which it first used it. */
  readonly font: {
    getGlyph(id: number, codePoints?: readonly number[]): object;
    hasGlyphForCodePoint(code: number): boolean;
  };
  readonly subset: { readonly glyphs: number[]; readonly mapping: Record<number, number> };
  readonly unicode: (readonly number[])[];
  readonly widths: number[];
  readonly scale: number;
  layoutRun(
    text: string,
    features?: readonly string[],
  ): { readonly glyphs: readonly Glyph[]; readonly positions: readonly unknown[] };
  encode(text: string, features?: readonly string[]): readonly [string[], readonly unknown[]];
}

/** Passed as the features of text that is painted from right to left. It adds no features; `encode` recognizes such text by this array. */
export const rightToLeftFeatures: PDFKit.Mixins.OpenTypeFeatures[] = [];

const onlyMarks = (text: readonly number[]): boolean => /^\p{M}*$/u.test(String.fromCodePoint(...text));

const sorted = (codes: readonly number[]): string => [...codes].sort((one, other) => one - other).join();

/**
 * The text of each glyph. The marks of a letter belong to the glyph of the letter, in the order of the source: a font may draw two letters
 * as one, such as ل and ا, and a mark of the first one comes between them.
 */
function textsOf(source: string, glyphs: readonly Glyph[], isRtl: boolean): number[][] {
  const texts = glyphs.map(({ codePoints }) => [...codePoints]);
  const places = isRtl ? [...texts.keys()].reverse() : [...texts.keys()];
  let letter: number[] | undefined;
  for (const place of places) {
    const text = texts[place] ?? [];
    if (letter === undefined || !onlyMarks(text)) letter = text;
    else letter.push(...text.splice(0));
  }
  const codes = Array.from(source, (character) => character.codePointAt(0) ?? 0);
  let at = 0;
  for (const place of places) {
    const text = texts[place] ?? [];
    const inSource = codes.slice(at, at + text.length);
    // A font may omit or decompose characters. From there on, the texts stay in the order of the font.
    if (sorted(inSource) !== sorted(text)) return texts;
    texts[place] = inSource;
    at += text.length;
  }
  return texts;
}

/** Changes an embedded font so that its text can be copied. */
export function makeCopyable(font: EmbeddedFont, bidi: Bidi | undefined): void {
  const embedded = new Map<string, number>();
  const unmirrored = (code: number): number =>
    bidi?.getMirroredCharacter(String.fromCodePoint(code))?.codePointAt(0) ?? code;
  const getOriginalGlyph = font.font.getGlyph.bind(font.font);
  font.font.getGlyph = (id, codePoints = []) =>
    Object.create(getOriginalGlyph(id), { codePoints: { value: codePoints } }) as object;
  font.encode = (text, features) => {
    const { glyphs, positions } = font.layoutRun(text, features);
    const texts = textsOf(text, glyphs, isPaintedRightToLeft(text));
    const codes = glyphs.map(({ id, advanceWidth }, index) => {
      const glyphText = texts[index] ?? [];
      const logical = features === rightToLeftFeatures ? glyphText.map(unmirrored) : glyphText;
      const key = `${id}:${logical.join()}`;
      let code = embedded.get(key);
      if (code === undefined) {
        code = font.subset.glyphs.push(id) - 1;
        font.subset.mapping[id] ??= code;
        font.widths[code] = advanceWidth * font.scale;
        font.unicode[code] = logical;
        embedded.set(key, code);
      }
      return code.toString(16).padStart(4, '0');
    });
    return [codes, positions];
  };
}

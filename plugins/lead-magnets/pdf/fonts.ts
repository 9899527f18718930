// The fonts of a document: the brand's family if the program provides it, the standard fonts, which cover the Latin
// script of Western Europe, the program's other fonts, and the fonts of packages for other scripts.
import { readFile } from 'node:fs/promises';
import { isRightToLeft, lettersOf } from '../../../core/unstable.ts';
import type { BrandStyle } from '../../brand/index.ts';
import { errors } from '../errors.ts';
import type { FontFaces, FontSource } from '../options.ts';
import { isOrderMark } from './bidi.ts';
import { isStandard } from './characters.ts';
import { type EmbeddedFont, makeCopyable } from './copyable-text.ts';
import { readScriptFont, scriptFontsFor } from './script-fonts.ts';
import type { Bidi, ScriptPackages } from './script-packages.ts';

export type Role = 'heading' | 'body' | 'code';
export type FaceName = 'regular' | 'bold' | 'italic' | 'boldItalic';

/** A font of the document, with the name under which it is registered. */
export interface Face {
  readonly name: string;
  has(code: number): boolean;
  /** Replaces a standard font in text from right to left. From a standard font, a reader would copy mirrored brackets. */
  readonly rightToLeft?: Face | undefined;
}

/** A family with its four faces. */
type Family = Readonly<Record<FaceName, Face>>;

/** Text in one font. */
export interface Run {
  readonly text: string;
  readonly face: Face;
  /** Whether it is painted from right to left. (Default: from left to right) */
  readonly isRtl?: boolean;
}

const standardNames = {
  sans: ['Helvetica', 'Helvetica-Bold', 'Helvetica-Oblique', 'Helvetica-BoldOblique'],
  serif: ['Times-Roman', 'Times-Bold', 'Times-Italic', 'Times-BoldItalic'],
  mono: ['Courier', 'Courier-Bold', 'Courier-Oblique', 'Courier-BoldOblique'],
} as const;

function standardFamily(fallback: keyof typeof standardNames, rightToLeft: Family | undefined): Family {
  const [regular, bold, italic, boldItalic] = standardNames[fallback];
  const faceOf = (name: string, face: FaceName): Face => ({ name, has: isStandard, rightToLeft: rightToLeft?.[face] });
  return {
    regular: faceOf(regular, 'regular'),
    bold: faceOf(bold, 'bold'),
    italic: faceOf(italic, 'italic'),
    boldItalic: faceOf(boldItalic, 'boldItalic'),
  };
}

/** The bytes of the provided fonts, read once. */
export interface FontFiles {
  /** @throws lead_magnet_renderer_missing for a file that cannot be read */
  load(): Promise<ReadonlyMap<string, Readonly<Record<FaceName, Uint8Array>>>>;
}

const bytesOf = (source: FontSource): Promise<Uint8Array> | Uint8Array =>
  source instanceof Uint8Array ? source : readFile(source);

async function readFaces(family: string, sources: FontFaces): Promise<Readonly<Record<FaceName, Uint8Array>>> {
  try {
    const regular = await bytesOf(sources.regular);
    const bold = sources.bold === undefined ? regular : await bytesOf(sources.bold);
    const italic = sources.italic === undefined ? regular : await bytesOf(sources.italic);
    const boldItalic = sources.boldItalic === undefined ? bold : await bytesOf(sources.boldItalic);
    return { regular, bold, italic, boldItalic };
  } catch (cause) {
    throw errors.lead_magnet_renderer_missing({ kind: 'font', family }, { cause });
  }
}

export function createFontFiles(input: Readonly<Record<string, FontFaces>>): FontFiles {
  let loaded: Promise<ReadonlyMap<string, Readonly<Record<FaceName, Uint8Array>>>> | undefined;
  const load = async () => {
    const families = await Promise.all(
      Object.entries(input).map(async ([family, faces]) => [family, await readFaces(family, faces)] as const),
    );
    return new Map(families);
  };
  return {
    load() {
      loaded ??= load().catch((error: unknown) => {
        loaded = undefined;
        throw error;
      });
      return loaded;
    },
  };
}

/** The fonts of one document. */
export interface DocumentFonts {
  /** Whether at least one font has the character. */
  has(character: string): boolean;
  /**
   * Splits the text into runs of one font each. Characters that no font has are put into the first font, so check them
   * first.
   */
  runs(text: string, role: Role, face: FaceName): readonly Run[];
  /** Orders text from right to left. Undefined if the document has none. */
  readonly bidi: Bidi | undefined;
}

/** Whether no font needs the character, because nothing is painted for it. */
const isInvisible = (character: string): boolean => /[\n\u200c\u200d]/.test(character) || isOrderMark(character);

/** Whether the letter fits every script: a space, a sign, a digit. */
const isNeutral = (letter: string): boolean => /^[\p{Script=Common}\p{Script=Inherited}]+$/u.test(letter);

/** Registers the faces of a family. @throws lead_magnet_renderer_missing for a font that cannot be read */
function registerFamily(
  document: PDFKit.PDFDocument,
  family: string,
  faces: Readonly<Record<FaceName, Uint8Array>>,
  bidi: Bidi | undefined,
): Family {
  const registered = Object.entries(faces).map(([face, bytes]) => {
    const name = `${family} ${face}`;
    try {
      document.registerFont(name, bytes as never);
      document.font(name);
    } catch (cause) {
      throw errors.lead_magnet_renderer_missing({ kind: 'font', family }, { cause });
    }
    const embedded = (document as unknown as { _font: EmbeddedFont })._font;
    makeCopyable(embedded, bidi);
    const hasGlyphByCode = new Map<number, boolean>();
    const has = (code: number): boolean => {
      const hasGlyph = hasGlyphByCode.get(code) ?? embedded.font.hasGlyphForCodePoint(code);
      hasGlyphByCode.set(code, hasGlyph);
      return hasGlyph;
    };
    return [face, { name, has }] as const;
  });
  return Object.fromEntries(registered) as Family;
}

/** The families of packages for the characters that no other family has. */
interface ScriptFamilies {
  /** Replaces the standard fonts. */
  readonly latin: readonly Family[];
  readonly others: readonly Family[];
}

/** @throws lead_magnet_renderer_missing for a package that is not installed */
async function scriptFamilies(
  document: PDFKit.PDFDocument,
  missing: ReadonlySet<string>,
  { text, language, packages }: DocumentText,
  bidi: { readonly isNeeded: boolean; readonly loaded: Bidi | undefined },
): Promise<ScriptFamilies> {
  const families = { latin: [] as Family[], others: [] as Family[] };
  const absent: { scripts: string[]; packages: string[] } = { scripts: [], packages: [] };
  for (const font of scriptFontsFor(missing, language, text)) {
    const faces = await readScriptFont(font, packages);
    if (faces === undefined) {
      absent.scripts.push(font.scripts);
      absent.packages.push(font.package);
      continue;
    }
    families[font.isLatin ? 'latin' : 'others'].push(registerFamily(document, font.family, faces, bidi.loaded));
  }
  if (bidi.isNeeded && bidi.loaded === undefined) {
    absent.scripts.push('right-to-left');
    absent.packages.push('bidi-js');
  }
  if (absent.packages.length > 0) throw errors.lead_magnet_renderer_missing({ kind: 'script', ...absent });
  return families;
}

/** The text of a document, and the packages that may have fonts for it. */
export interface DocumentText {
  readonly text: string;
  /** A BCP 47 tag. */
  readonly language: string;
  readonly packages: ScriptPackages;
}

/**
 * Registers the provided fonts with the document, and those of packages that its text needs.
 * @throws lead_magnet_renderer_missing for a font that cannot be read, or a package that is not installed
 */
export async function documentFonts(
  document: PDFKit.PDFDocument,
  files: FontFiles,
  brand: BrandStyle['fonts'] | undefined,
  content: DocumentText,
): Promise<DocumentFonts> {
  const isNeeded = isRightToLeft(content.text);
  const bidi = isNeeded ? await content.packages.loadBidi() : undefined;
  const families = new Map<string, Family>();
  for (const [family, faces] of await files.load())
    families.set(family.toLowerCase(), registerFamily(document, family, faces, bidi));
  const ownFamilies = [...families.values()];
  const isProvided = (character: string): boolean => {
    const code = character.codePointAt(0) ?? 0;
    return isInvisible(character) || isStandard(code) || ownFamilies.some((family) => family.regular.has(code));
  };
  const missing = new Set([...content.text].filter((character) => !isProvided(character)));
  const { latin, others } = await scriptFamilies(document, missing, content, { isNeeded, loaded: bidi });
  const rightToLeft =
    bidi === undefined ? undefined : [...ownFamilies, ...others].find(({ regular }) => regular.has(0x28));
  const orderFor = (font: BrandStyle['fonts']['body'] | undefined): readonly Family[] => {
    const ownFamily = font === undefined ? undefined : families.get(font.family.toLowerCase());
    const rest = [...latin, standardFamily(font?.fallback ?? 'sans', rightToLeft), ...ownFamilies, ...others];
    return ownFamily === undefined ? rest : [ownFamily, ...rest.filter((one) => one !== ownFamily)];
  };
  const orders: Readonly<Record<Role, readonly Family[]>> = {
    heading: orderFor(brand?.heading),
    body: orderFor(brand?.body),
    code: [standardFamily('mono', rightToLeft), ...latin, ...ownFamilies, ...others],
  };
  const hasAll = (face: Face, text: string): boolean =>
    Array.from(text).every((character) => isInvisible(character) || face.has(character.codePointAt(0) ?? 0));
  const faceFor = (letter: string, role: Role, face: FaceName): Face | undefined => {
    for (const family of orders[role]) {
      if (hasAll(family[face], letter)) return family[face];
      if (hasAll(family.regular, letter)) return family.regular;
    }
    return undefined;
  };
  return {
    bidi,
    has: (character) => {
      const code = character.codePointAt(0) ?? 0;
      return isInvisible(character) || orders.body.some((family) => family.regular.has(code));
    },
    runs(text, role, face) {
      const runs: { text: string; face: Face }[] = [];
      const append = (letter: string, runFace: Face) => {
        const last = runs.at(-1);
        if (last?.face === runFace) last.text += letter;
        // Signs keep the font of the letters next to them.
        else if (last !== undefined && isNeutral(letter) && hasAll(last.face, letter)) last.text += letter;
        else if (last !== undefined && isNeutral(last.text) && hasAll(runFace, last.text)) {
          last.text += letter;
          last.face = runFace;
        } else runs.push({ text: letter, face: runFace });
      };
      for (const letter of lettersOf(text)) {
        const whole = faceFor(letter, role, face);
        if (whole !== undefined) append(letter, whole);
        else
          for (const character of letter)
            append(character, faceFor(character, role, face) ?? (orders[role][0] as Family)[face]);
      }
      return runs;
    },
  };
}

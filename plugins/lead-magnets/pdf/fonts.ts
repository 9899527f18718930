// The fonts of a document: the brand's family if the program provides it, the program's other fonts for missing
// characters, and the standard fonts, which cover the Latin script of Western Europe.
import { readFile } from 'node:fs/promises';
import type { BrandStyle } from '../../brand/index.ts';
import { errors } from '../errors.ts';
import type { FontFaces, FontSource } from '../options.ts';
import { isRightToLeft, isStandard } from './characters.ts';

export type Role = 'heading' | 'body' | 'code';
export type FaceName = 'regular' | 'bold' | 'italic' | 'boldItalic';

/** A font of the document, with the name under which it is registered. */
export interface Face {
  readonly name: string;
  has(code: number): boolean;
}

/** A family with its four faces. */
type Family = Readonly<Record<FaceName, Face>>;

/** Text in one font. */
export interface Run {
  readonly text: string;
  readonly face: Face;
}

const standardNames = {
  sans: ['Helvetica', 'Helvetica-Bold', 'Helvetica-Oblique', 'Helvetica-BoldOblique'],
  serif: ['Times-Roman', 'Times-Bold', 'Times-Italic', 'Times-BoldItalic'],
  mono: ['Courier', 'Courier-Bold', 'Courier-Oblique', 'Courier-BoldOblique'],
} as const;

function standardFamily(fallback: keyof typeof standardNames): Family {
  const [regular, bold, italic, boldItalic] = standardNames[fallback].map((name) => ({ name, has: isStandard }));
  return { regular, bold, italic, boldItalic } as Family;
}

/** The bytes of the provided fonts, read once. */
export interface FontFiles {
  /** @throws lead_magnet_renderer_missing for a file that cannot be read */
  load(): Promise<ReadonlyMap<string, Readonly<Record<FaceName, Uint8Array>>>>;
}

const bytesOf = (source: FontSource): Promise<Uint8Array> | Uint8Array =>
  source instanceof Uint8Array ? source : readFile(source);

async function readFaces(family: string, given: FontFaces): Promise<Readonly<Record<FaceName, Uint8Array>>> {
  try {
    const regular = await bytesOf(given.regular);
    const bold = given.bold === undefined ? regular : await bytesOf(given.bold);
    const italic = given.italic === undefined ? regular : await bytesOf(given.italic);
    const boldItalic = given.boldItalic === undefined ? bold : await bytesOf(given.boldItalic);
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
   * Splits the text into runs of one font each. Characters that no font has are put into the last font, so check them
   * first.
   */
  runs(text: string, role: Role, face: FaceName): readonly Run[];
}

interface FontkitFont {
  hasGlyphForCodePoint(code: number): boolean;
}

/**
 * Registers the provided fonts with the document.
 * @throws lead_magnet_renderer_missing for a font that cannot be read
 */
export async function documentFonts(
  document: PDFKit.PDFDocument,
  files: FontFiles,
  brand: BrandStyle['fonts'] | undefined,
): Promise<DocumentFonts> {
  const families = new Map<string, Family>();
  for (const [family, faces] of await files.load()) {
    const registered = Object.entries(faces).map(([face, bytes]) => {
      const name = `${family} ${face}`;
      try {
        document.registerFont(name, bytes as never);
        document.font(name);
      } catch (cause) {
        throw errors.lead_magnet_renderer_missing({ kind: 'font', family }, { cause });
      }
      const { font } = (document as unknown as { _font: { font: FontkitFont } })._font;
      const known = new Map<number, boolean>();
      const has = (code: number): boolean => {
        const hasGlyph = known.get(code) ?? font.hasGlyphForCodePoint(code);
        known.set(code, hasGlyph);
        return hasGlyph;
      };
      return [face, { name, has }] as const;
    });
    families.set(family.toLowerCase(), Object.fromEntries(registered) as Family);
  }
  const ownFamilies = [...families.values()];
  const orderFor = (font: BrandStyle['fonts']['body'] | undefined): readonly Family[] => {
    const ownFamily = font === undefined ? undefined : families.get(font.family.toLowerCase());
    const standard = standardFamily(font?.fallback ?? 'sans');
    return ownFamily === undefined
      ? [standard, ...ownFamilies]
      : [ownFamily, standard, ...ownFamilies.filter((one) => one !== ownFamily)];
  };
  const orders: Readonly<Record<Role, readonly Family[]>> = {
    heading: orderFor(brand?.heading),
    body: orderFor(brand?.body),
    code: [standardFamily('mono'), ...ownFamilies],
  };
  const faceFor = (code: number, role: Role, face: FaceName): Face => {
    for (const family of orders[role]) {
      if (family[face].has(code)) return family[face];
      if (family.regular.has(code)) return family.regular;
    }
    return (orders[role][0] as Family)[face];
  };
  return {
    has: (character) => {
      const code = character.codePointAt(0) ?? 0;
      return !isRightToLeft(character) && orders.body.some((family) => family.regular.has(code));
    },
    runs(text, role, face) {
      const runs: { text: string; face: Face }[] = [];
      for (const character of text) {
        const found = faceFor(character.codePointAt(0) ?? 0, role, face);
        const last = runs.at(-1);
        if (last?.face === found) last.text += character;
        else runs.push({ text: character, face: found });
      }
      return runs;
    },
  };
}

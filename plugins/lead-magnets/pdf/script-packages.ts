// The optional packages for scripts beyond those of the standard fonts, as the painter uses them. Separate from packages.ts, because the
// declarations of the package must not name types of a package that a program may lack.

/** The part of bidi-js (Unicode Standard Annex #9) that the painter uses. */
export interface Bidi {
  getEmbeddingLevels(text: string, direction: 'ltr' | 'rtl'): { readonly levels: Uint8Array };
  /** The mirrored form of a character such as a bracket. Null if it has none. */
  getMirroredCharacter(character: string): string | null;
}

/** The packages. */
export interface ScriptPackages {
  /** Undefined if the package is not installed. */
  readFile(path: string): Promise<Uint8Array | undefined>;
  /** Undefined if the package is not installed. */
  loadBidi(): Promise<Bidi | undefined>;
}

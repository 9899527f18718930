// The options that the embedding program passes to `leadMagnetsPlugin`.

/** A TrueType or OpenType font: its bytes, or the path of its file, which is read at the first export. */
export type FontSource = Uint8Array | string | URL;

/** The faces of a family. */
export interface FontFaces {
  readonly regular: FontSource;
  /** (Default: regular) */
  readonly bold?: FontSource;
  /** (Default: regular) */
  readonly italic?: FontSource;
  /** (Default: bold) */
  readonly boldItalic?: FontSource;
}

/** Options of `leadMagnetsPlugin`. */
export interface LeadMagnetsOptions {
  /**
   * Fonts of the PDFs, by the family names that brands use. (Default: none; Helvetica, Times and Courier, which every
   * PDF reader has. Letters beyond those of Western Europe come from the font packages in docs/lead-magnets.md)
   */
  readonly fonts?: Readonly<Record<string, FontFaces>>;
  /**
   * The language of the texts, a BCP 47 tag. Screen readers use it for pronunciation; it also decides the form of Chinese
   * characters. (Default: the language that the script of most letters shows, such as ja, zh-Hans, ar or th; otherwise en)
   */
  readonly language?: string;
  /** The heading of the table of contents. (Default: the word in the language of the texts, else Contents) */
  readonly contentsHeading?: string;
}

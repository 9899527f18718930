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
   * Fonts of the PDFs, by the family names that brands use. Scripts other than the Latin of Western Europe need one.
   * (Default: none; Helvetica, Times and Courier, which every PDF reader has)
   */
  readonly fonts?: Readonly<Record<string, FontFaces>>;
  /** The language of the texts, a BCP 47 tag. Screen readers use it for pronunciation. (Default: en) */
  readonly language?: string;
  /** The heading of the table of contents. (Default: Contents) */
  readonly contentsHeading?: string;
}

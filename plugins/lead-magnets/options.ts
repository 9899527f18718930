// What the embedding program says to `leadMagnetsPlugin`.

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
   * Fonts of the PDFs by the family that brands name. Text in other scripts than the Latin of Western Europe needs one. (Default:
   * none; Helvetica, Times and Courier, which every reader has)
   */
  readonly fonts?: Readonly<Record<string, FontFaces>>;
  /** The language of the texts, a BCP 47 tag: screen readers pronounce them by it. (Default: en) */
  readonly language?: string;
  /** The heading of the contents. (Default: Contents) */
  readonly contentsHeading?: string;
}

// The results and errors that the format readers share. A reader checks the structure of a file, and does not trust names or headers
// that came with it. It does not decode pictures.

/** Thrown if bytes cannot be an asset. The message is a sentence for the caller, and does not repeat any of the bytes. */
export class FormatFault extends Error {
  override readonly name = 'FormatFault';
}

/** The size of the picture and the duration, as the file states them. */
export interface MediaDimensions {
  readonly width: number | null;
  readonly height: number | null;
  readonly durationMs: number | null;
}

/** The dimensions of a picture and, if metadata was removed, its remaining bytes. */
export interface ReadPicture extends MediaDimensions {
  readonly cleaned?: Uint8Array;
}

export const brokenFile = (format: string): FormatFault =>
  new FormatFault(`The ${format} file is broken or incomplete.`);

/**
 * The maximum number of blocks of a picture. Real pictures have some thousands. While a picture is read, no other
 * request is served, so the number is limited.
 */
const maxBlocks = 20_000;

/** Counts the blocks of a file. @throws FormatFault if `add` is called for too many blocks */
export class BlockCount {
  #seen = 0;

  add(format: string): void {
    this.#seen += 1;
    if (this.#seen > maxBlocks)
      throw new FormatFault(`The ${format} file has too many parts. Export it again from a drawing program.`);
  }
}

// What every reader of a format gives and throws. A reader checks the structure of a file, and believes no name or header
// that came with it. It decodes no picture.

/** Why bytes are no asset, as a sentence for the caller. Repeats nothing of the bytes. */
export class FormatFault extends Error {
  override readonly name = 'FormatFault';
}

/** What a file says of itself. */
export interface Measures {
  readonly width: number | null;
  readonly height: number | null;
  readonly durationMs: number | null;
}

/** A picture's measures, and its bytes without metadata where some were taken out. */
export interface ReadPicture extends Measures {
  readonly cleaned?: Uint8Array;
}

export const broken = (format: string): FormatFault => new FormatFault(`The ${format} file is broken or incomplete.`);

/** A picture in earnest has some thousands: each is looked at, and some are kept, while nothing else runs. */
const maxBlocks = 20_000;

/** Counts the blocks of a file. @throws FormatFault where there are too many */
export class BlockCount {
  #seen = 0;

  add(format: string): void {
    this.#seen += 1;
    if (this.#seen > maxBlocks)
      throw new FormatFault(`The ${format} file has too many parts. Export it again from a drawing program.`);
  }
}

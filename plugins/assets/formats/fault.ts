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

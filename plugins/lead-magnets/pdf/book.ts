// The input for painting a PDF.
import type { Look } from '../content.ts';
import type { Chapter, Format } from '../schema.ts';

/** The brand's logo. */
export interface Logo {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

export interface Book {
  readonly title: string;
  readonly format: Format;
  /** 0, 1 or 2. */
  readonly covers: number;
  readonly chapters: readonly Chapter[];
  /** Undefined for a workspace without a brand. */
  readonly look: Look | undefined;
  readonly logo: Logo | undefined;
}

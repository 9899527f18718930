// The input for painting a PDF.
import type { BookStyle } from '../content.ts';
import type { Chapter, LeadMagnetFormat } from '../schema.ts';

/** The brand's logo. */
export interface BookLogo {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

export interface Book {
  readonly title: string;
  readonly format: LeadMagnetFormat;
  /** 0, 1 or 2. */
  readonly covers: number;
  readonly chapters: readonly Chapter[];
  /** Undefined for a workspace without a brand. */
  readonly style: BookStyle | undefined;
  readonly logo: BookLogo | undefined;
}

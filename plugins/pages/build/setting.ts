// What a page is written from: the brief with what the caller said beside it, and the brand.
import type { BrandLook } from '../../brand/index.ts';

export interface PageSetting {
  readonly brief: string;
  /** The idea of the headline. */
  readonly headline: string | null;
  readonly objective: string | null;
  readonly vibe: string | null;
  /** Words about the length that name none. */
  readonly lengthHint: string | undefined;
  readonly ctaLabel: string | null;
  /** Where buttons lead that lead to no part of the page; undefined where all lead to its form or where the brief says. */
  readonly buttonUrl: string | undefined;
  /** Undefined where the brand is gone. */
  readonly brand: Pick<BrandLook, 'name' | 'voice' | 'palette'> | undefined;
  /** How many sections the page gets. */
  readonly count: number;
}

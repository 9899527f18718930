// The input for writing a page: the brief, the caller's other wishes, and the brand.
import type { BrandStyle } from '../../brand/index.ts';
import type { WantedForm } from '../sections/form.ts';

export interface PageBuildInput {
  readonly brief: string;
  /** The idea of the headline. */
  readonly headline: string | null;
  readonly objective: string | null;
  readonly vibe: string | null;
  /** The caller's words about the length, if they are none of the known lengths: a hint for the composer. */
  readonly lengthHint: string | undefined;
  readonly ctaLabel: string | null;
  /**
   * The link of buttons that do not lead to a part of the page. Undefined: buttons lead to the page's form, or to an
   * address that the brief names.
   */
  readonly buttonUrl: string | undefined;
  /** The form that was asked for. (Default: a built-in form) */
  readonly form: WantedForm | undefined;
  /** Undefined if the brand no longer exists. */
  readonly brand: Pick<BrandStyle, 'name' | 'voice' | 'palette'> | undefined;
  /** The number of sections of the page. */
  readonly count: number;
}

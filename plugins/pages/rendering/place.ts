// The context in which the sections of a page are rendered.

import type { FormPlace } from '../forms/html.ts';
import type { PageFormTexts } from '../forms/texts.ts';
import type { PageContent } from '../tables.ts';
import type { PageBrand } from './brand.ts';
import type { PageTexts } from './texts.ts';

/** A picture, as a page shows it. */
export interface ShownPicture {
  readonly url: string;
  readonly alt: string;
  readonly width: number | null;
  readonly height: number | null;
}

export interface RenderPlace {
  readonly content: PageContent;
  readonly brand: PageBrand;
  /** By asset. An asset without an entry no longer exists and is left out. */
  readonly pictures: ReadonlyMap<string, ShownPicture>;
  /** The HTML of its Markdown. */
  readonly texts: PageTexts;
  readonly forms: Omit<FormPlace, 'button' | 'markdown'>;
  readonly words: PageFormTexts;
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  /** Seeds the artwork, so that a page always has the same artwork. */
  readonly seed: string;
}

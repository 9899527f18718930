// The context in which the sections of a page are rendered.

import type { FormContext } from '../forms/form-html.ts';
import type { PageFormTexts } from '../forms/texts.ts';
import type { PageContent } from '../tables.ts';
import type { PageBrand } from './brand.ts';
import type { RenderedTexts } from './texts.ts';

/** A picture, as a page shows it. */
export interface PagePicture {
  readonly url: string;
  readonly alt: string;
  readonly width: number | null;
  readonly height: number | null;
}

export interface PageRenderContext {
  readonly content: PageContent;
  readonly brand: PageBrand;
  /** By asset. An asset without an entry no longer exists and is left out. */
  readonly pictures: ReadonlyMap<string, PagePicture>;
  /** The HTML of its Markdown. */
  readonly texts: RenderedTexts;
  readonly forms: Omit<FormContext, 'button' | 'markdown'>;
  readonly words: PageFormTexts;
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  /** Seeds the artwork, so that a page always has the same artwork. */
  readonly seed: string;
}

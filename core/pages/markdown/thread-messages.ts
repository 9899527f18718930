// The requests to the thread that reads Markdown, and its answers. Plain data, because threads exchange copies.
import type { TextNode } from './node.ts';
import type { TextParts } from './parts.ts';

/** A text in the form in which it is stored. */
export interface RenderedText {
  readonly html: TextParts;
  /** The first words of the text, without markup. */
  readonly beginning: string;
  readonly words: number;
}

/** A text as a tree. */
export interface TextTree {
  readonly nodes: readonly TextNode[];
}

/** The reason why a text cannot be shown, as a sentence. */
export interface TextFault {
  readonly fault: string;
}

/** The result for a text, by the kind of request. */
export interface TextResults {
  readonly html: RenderedText;
  readonly tree: TextTree;
  /** Empty if the text can be read. */
  readonly check: object;
}

export interface TextRequest {
  readonly kind: keyof TextResults;
  readonly source: string;
  /** The level of the highest headings, 2 to 4. (Default: 2) */
  readonly top?: number | undefined;
}

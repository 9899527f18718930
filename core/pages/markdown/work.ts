// What the thread is asked, and what it answers. Plain data: it is copied.
import type { TextNode } from './node.ts';
import type { TextParts } from './parts.ts';

/** A text in the form in which it is stored. */
export interface RenderedText {
  readonly html: TextParts;
  /** Its first words, without markup. */
  readonly beginning: string;
  readonly words: number;
}

/** A text as a tree. */
export interface ReadText {
  readonly nodes: readonly TextNode[];
}

/** Why a text cannot be shown, as a sentence. */
export interface TextFault {
  readonly fault: string;
}

/** What is made of a text, by what was asked. */
export interface TextAnswers {
  readonly html: RenderedText;
  readonly tree: ReadText;
  /** Whether it can be read. */
  readonly check: object;
}

export interface TextRequest {
  readonly kind: keyof TextAnswers;
  readonly source: string;
  /** Which level its highest headings take, 2 to 4. (Default: each is one below its own) */
  readonly top?: number | undefined;
}

/**
 * What HtmlPosition tells of the markup that it reads, and the places that it knows.
 * Implemented by markup-rules.ts and mjml-structure.ts.
 */

/** Hears of what is read. Offsets count in the template's source. */
export interface MarkupListener {
  /** A start tag begins, inside so many others; `isConditional` right behind a conditional comment's start. */
  element(name: string, at: number, depth: number, isConditional: boolean): void;
  attribute(element: string, name: string, value: string, at: number): void;
  /** Text between tags. */
  text?(text: string, at: number): void;
  /** An end tag came while other elements inside were open. */
  unclosed?(name: string, at: number): void;
  /** Markup that readers understand differently, told in words. */
  ambiguous(what: string, at: number): void;
}

/** Stands in attribute values where Liquid prints something. */
export const GAP = '\ufffc';

/** Where Liquid stands: in text, in the content of style or a like element, in a comment, or in a quoted value. */
export interface Place {
  kind: 'text' | 'style' | 'rcdata' | 'comment' | 'value';
  element: string;
  attribute: string;
}

/** An element that is open; `at` is where its tag began and tells two of a name apart. */
export interface OpenElement {
  name: string;
  at: number;
}

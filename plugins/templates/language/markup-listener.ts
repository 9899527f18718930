/**
 * The events that HtmlPosition reports about the markup, and the places that it distinguishes.
 */

/** Receives the events. Offsets count in the template's source. */
export interface MarkupListener {
  /**
   * A start tag begins, `depth` elements deep. `isConditional`: it directly follows the start of a conditional comment.
   */
  element(name: string, at: number, depth: number, isConditional: boolean): void;
  attribute(element: string, name: string, value: string, at: number): void;
  /** Text between tags. */
  text?(text: string, at: number): void;
  /** The content of an element that is not markup, such as `style`. It arrives in pieces if it contains Liquid. */
  rawText?(element: string, text: string, at: number): void;
  /** An end tag came while inner elements were still open. */
  unclosed?(name: string, at: number): void;
  /** Markup that clients parse differently, described in a sentence. */
  ambiguous(what: string, at: number): void;
}

/** Replaces Liquid's output in attribute values. */
export const GAP = '\ufffc';

/** The position of Liquid: in text, in the content of style or a similar element, in a comment, or in a quoted value. */
export interface MarkupContext {
  kind: 'text' | 'style' | 'rcdata' | 'comment' | 'value';
  element: string;
  attribute: string;
  /** In a style: whether a declaration may begin here, rather than a value. */
  allowsDeclarations?: boolean;
}

/** An open element. `at` is the offset of its tag and distinguishes two elements with the same name. */
export interface OpenElement {
  name: string;
  at: number;
}

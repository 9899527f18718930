// A text as a tree. The thread creates it from Markdown; HTML and PDF are written from it. Plain data.

export interface TextElement {
  /**
   * The name as in HTML; `box` is the box of a task, with `checked` if it is ticked; `footnotes` is the heading of the footnotes, in the
   * language of the page. The attribute `reference` of a link names the reference to a footnote to which it leads back.
   */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: TextNode[];
}

export type TextNode = string | TextElement;

export const element = (
  name: string,
  attributes: Readonly<Record<string, string>> = {},
  children: TextNode[] = [],
): TextElement => ({ name, attributes, children });

/** The text of nodes without their markup. */
export const textContentOf = (nodes: readonly TextNode[]): string =>
  nodes
    .map((node) => (typeof node === 'string' ? node : node.name === 'br' ? '\n' : textContentOf(node.children)))
    .join('');

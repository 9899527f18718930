// A text as a tree: what the thread makes of Markdown, and what HTML and PDF are written from. Plain data.

export interface TextElement {
  /** As in HTML; `box` is the box of a task, with `checked` where it is ticked. */
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

/** What is read of nodes without their markup. */
export const wordsOf = (nodes: readonly TextNode[]): string =>
  nodes.map((node) => (typeof node === 'string' ? node : node.name === 'br' ? '\n' : wordsOf(node.children))).join('');

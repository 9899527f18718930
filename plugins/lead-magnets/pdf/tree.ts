// The HTML that micromark writes, as a tree. It is always well-formed, and raw HTML in it is escaped.

export interface Node {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: (Node | string)[];
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };
const decoded = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot);/g, (_, name: string) => entities[name] ?? '');
const empty = new Set(['br', 'hr', 'img', 'input']);
const token = /<(\/?)([a-z0-9]+)((?:\s+[a-z-]+(?:="[^"]*")?)*)\s*\/?>|([^<]+)/g;

function parse(html: string): (Node | string)[] {
  const root: Node = { name: 'root', attributes: {}, children: [] };
  const open = [root];
  for (const [, slash, name, given, text] of html.matchAll(token)) {
    const parent = open.at(-1) ?? root;
    if (text !== undefined) parent.children.push(decoded(text));
    else if (slash === '/') open.pop();
    else if (name !== undefined) {
      const pairs = [...(given ?? '').matchAll(/([a-z-]+)(?:="([^"]*)")?/g)];
      const attributes = Object.fromEntries(pairs.map(([, key = '', value = '']) => [key, decoded(value)]));
      const node: Node = { name, attributes, children: [] };
      parent.children.push(node);
      if (!empty.has(name)) open.push(node);
    }
  }
  return root.children;
}

/** The nodes of a Markdown text. */
export async function micromarkTree(text: string): Promise<(Node | string)[]> {
  const [{ micromark }, { gfm, gfmHtml }] = await Promise.all([import('micromark'), import('micromark-extension-gfm')]);
  return parse(micromark(text, { extensions: [gfm()], htmlExtensions: [gfmHtml()] }));
}

// Reads Markdown into a tree with markdown-it. Its work stays in proportion to the length of the text, whatever the text
// contains. HTML in the text is treated as text. Links and pictures are checked here, on the tree. Runs in the worker
// thread; no other module imports this file, because it loads the parser.

import type { Token } from 'markdown-it';
import MarkdownIt from 'markdown-it';
import footnotes from 'markdown-it-footnote';
import { assetIn, isLink, isOutside } from './links.ts';
import { element, type TextElement, type TextNode, textContentOf } from './node.ts';

/** The largest depth of nested lists and quotes. The parser leaves out content that is far deeper. */
const maxDepth = 40;

const parser = new MarkdownIt('default', { html: false, linkify: true })
  .use(footnotes)
  .disable(['footnote_inline', 'footnote_tail']);
// Accepts every link. Invalid links are detected later, on the tree, so that their words are kept.
parser.validateLink = () => true;
parser.linkify.add('ftp:', null).add('//', null);

/** The length of an address without its `www.`, which ends before `at`. Reads at most `distance` characters. */
const wwwLength = (text: string, at: number, distance: number, linkify: typeof parser.linkify): number =>
  Math.max(0, linkify.testSchemaAt(`http://www.${text.slice(at, at + distance)}`, 'http:', 5) - '//www.'.length);

parser.linkify.add('www.', {
  validate(text, at, linkify) {
    // Most candidates are short: reading 10,000 characters each time would take long.
    const shortLength = 300;
    const length = wwwLength(text, at, shortLength, linkify);
    return length < shortLength ? length : wwwLength(text, at, 10_000, linkify);
  },
  normalize(match) {
    match.url = `http://${match.url}`;
  },
});

/** An open element. If it has no node, its children belong to the surrounding element. */
interface OpenElement {
  readonly node: TextElement | undefined;
  readonly children: TextNode[];
}

/** The definition of a footnote. */
interface Note {
  readonly nodes: TextNode[];
  /** The ids of the references to it, in order. */
  readonly marks: string[];
}

/** The tags that are written with another name than the parser's. */
const renamedTags: Readonly<Record<string, string>> = { s: 'del' };

/** The value of an attribute; undefined if the token does not have it. */
function attributeOf(token: Token, name: string): string | undefined {
  const value = token.attrGet(name);
  return value === null ? undefined : String(value);
}

const alignOf = (token: Token): Record<string, string> => {
  const align = /^text-align:(left|right|center)$/.exec(attributeOf(token, 'style') ?? '')?.[1];
  return align === undefined ? {} : { align };
};

class TreeBuilder {
  readonly #root: TextNode[] = [];
  readonly #open: OpenElement[] = [{ node: undefined, children: this.#root }];
  readonly #notes = new Map<string, Note>();
  #links = 0;
  /** Whether the lists and quotes are too deep. */
  isTooDeep = false;

  get #siblings(): TextNode[] {
    return this.#open.at(-1)?.children ?? this.#root;
  }

  #push(node: TextElement): void {
    this.#siblings.push(node);
    this.#open.push({ node, children: node.children });
  }

  #skip(): void {
    this.#open.push({ node: undefined, children: this.#siblings });
  }

  read(tokens: readonly Token[]): void {
    for (const token of tokens) {
      if (token.level > 2 * maxDepth) this.isTooDeep = true;
      if (token.type === 'inline') this.read(token.children ?? []);
      else if (token.nesting === 1) this.#enter(token);
      else if (token.nesting === -1) this.#leave(token);
      else this.#add(token);
    }
  }

  #enter(token: Token): void {
    switch (token.type) {
      case 'link_open':
        this.#enterLink(token);
        break;
      case 'table_open':
        this.#push(element('table'));
        break;
      case 'ordered_list_open': {
        const start = attributeOf(token, 'start');
        this.#push(element('ol', start === undefined ? {} : { start }));
        break;
      }
      case 'footnote_reference_open': {
        const note = this.#noteOf(token);
        // If two notes have the same name, the first is kept.
        this.#open.push({ node: undefined, children: note.nodes.length === 0 ? note.nodes : [] });
        break;
      }
      default:
        if (token.hidden) this.#skip();
        else this.#push(element(renamedTags[token.tag] ?? token.tag, alignOf(token)));
    }
  }

  #enterLink(token: Token): void {
    const href = attributeOf(token, 'href') ?? '';
    this.#links += 1;
    // A link inside a link is not written: its words are part of the outer link.
    if (this.#links > 1 || !isLink(href)) {
      this.#skip();
      return;
    }
    const title = attributeOf(token, 'title');
    this.#push(
      element('a', {
        href,
        ...(title === undefined ? {} : { title }),
        ...(isOutside(href) ? { rel: 'noopener' } : {}),
      }),
    );
  }

  #leave(token: Token): void {
    if (token.type === 'link_close') this.#links -= 1;
    this.#open.pop();
  }

  #add(token: Token): void {
    const siblings = this.#siblings;
    switch (token.type) {
      case 'text':
        if (token.content !== '') siblings.push(token.content);
        break;
      case 'softbreak':
        siblings.push('\n');
        break;
      case 'hardbreak':
        siblings.push(element('br'), '\n');
        break;
      case 'code_inline':
        siblings.push(element('code', {}, [token.content]));
        break;
      case 'hr':
        siblings.push(element('hr'));
        break;
      case 'fence':
      case 'code_block': {
        const [language = ''] = token.info.trim().split(/\s+/, 1);
        const attributes = language === '' ? {} : { class: `language-${language}` };
        siblings.push(element('pre', {}, [element('code', attributes, [token.content])]));
        break;
      }
      case 'image': {
        const asset = assetIn(attributeOf(token, 'src') ?? '');
        const title = attributeOf(token, 'title');
        const alt = altOf(token.children ?? []);
        if (asset === undefined) siblings.push(alt);
        else siblings.push(element('img', { asset, alt, ...(title === undefined ? {} : { title }) }));
        break;
      }
      case 'footnote_ref':
        siblings.push(this.#referenceTo(token));
        break;
      default:
        siblings.push(token.content);
    }
  }

  #noteOf(token: Token): Note {
    const label = String(token.meta?.['label']);
    const note = this.#notes.get(label) ?? { nodes: [], marks: [] };
    this.#notes.set(label, note);
    return note;
  }

  #referenceTo(token: Token): TextElement {
    const { marks } = this.#noteOf(token);
    const number = Number(token.meta?.['id']) + 1;
    const id = marks.length === 0 ? `fnref-${number}` : `fnref-${number}-${marks.length + 1}`;
    marks.push(id);
    return element('sup', {}, [
      element('a', { href: `#fn-${number}`, id, 'aria-describedby': 'footnote-label' }, [String(number)]),
    ]);
  }

  /** The tree, with the footnotes at the end, in the order in which the text refers to them. */
  finished(labels: readonly string[]): TextNode[] {
    if (labels.length === 0) return this.#root;
    const items = labels.map((label, index) => {
      const { nodes, marks } = this.#notes.get(label) ?? { nodes: [], marks: [] };
      const backAnchors = marks.flatMap((id, at) => [
        ' ',
        element(
          'a',
          {
            href: `#${id}`,
            class: 'back',
            reference: `${index + 1}${at === 0 ? '' : `-${at + 1}`}`,
          },
          ['↩'],
        ),
      ]);
      const lastNode = nodes.at(-1);
      if (typeof lastNode === 'object' && lastNode.name === 'p') lastNode.children.push(...backAnchors);
      else nodes.push(...backAnchors);
      return element('li', { id: `fn-${index + 1}` }, nodes);
    });
    const heading = element('h1', { id: 'footnote-label', class: 'unseen' }, [element('footnotes')]);
    this.#root.push(element('section', { class: 'footnotes' }, [heading, element('ol', {}, items)]));
    return this.#root;
  }
}

/** The alternative text of a picture. */
const altOf = (tokens: readonly Token[]): string =>
  tokens
    .map((token) =>
      /break$/.test(token.type) ? '\n' : token.type === 'image' ? altOf(token.children ?? []) : token.content,
    )
    .join('');

/** Replaces `[ ]` and `[x]` at the start of an item by the box of a task. */
function tick(nodes: readonly TextNode[]): void {
  for (const node of nodes) {
    if (typeof node === 'string') continue;
    if (node.name === 'li') {
      const [first] = node.children;
      const children = typeof first === 'object' && first.name === 'p' ? first.children : node.children;
      const [text] = children;
      const box = typeof text === 'string' ? /^\[([ xX])\](?=\s)/.exec(text) : null;
      if (box !== null && typeof text === 'string') {
        const checked: Record<string, string> = box[1] === ' ' ? {} : { checked: 'yes' };
        children.splice(0, 1, element('box', checked), text.slice(box[0].length));
      }
    }
    tick(node.children);
  }
}

/** The tree of a text; undefined if its lists and quotes are more than 40 levels deep. */
export function treeOf(source: string): TextNode[] | undefined {
  const env: { readonly footnotes?: { readonly list?: readonly { readonly label: string }[] } } = {};
  const tokens = parser.parse(source, env);
  const builder = new TreeBuilder();
  builder.read(tokens);
  if (builder.isTooDeep) return undefined;
  const nodes = builder.finished((env.footnotes?.list ?? []).map(({ label }) => label));
  tick(nodes);
  return nodes;
}

/** The text of the first paragraph with words, and the whole text, each on one line. */
export function textIn(nodes: readonly TextNode[]): { readonly first: string; readonly all: string } {
  const blocks: string[] = [];
  let first = '';
  const read = (nodesToRead: readonly TextNode[]): void => {
    for (const node of nodesToRead) {
      if (typeof node === 'string') blocks.push(node);
      else if (/^(?:p|h\d|pre|t[dh])$/.test(node.name)) {
        const text = textContentOf(node.children);
        if (node.name === 'p') first ||= text.trim();
        blocks.push(text, ' ');
      } else if (/^(?:ul|ol|li|blockquote|table|thead|tbody|tr|section|figure)$/.test(node.name)) {
        read(node.children);
        blocks.push(' ');
      } else blocks.push(textContentOf([node]));
    }
  };
  read(nodes);
  const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
  return { first: oneLine(first), all: oneLine(blocks.join('')) };
}

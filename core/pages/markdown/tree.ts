// Reads Markdown into a tree with markdown-it, whose work grows with the length of the text, whatever the text. HTML in
// the text is treated as text. Links and pictures are checked here, on the tree. Runs in the worker thread; nothing
// else imports it, because it loads the parser.

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
// Accepts every link: invalid links are detected on the tree, where their words are kept.
parser.validateLink = () => true;
parser.linkify.add('ftp:', null).add('//', null);

/** The length of the address that begins with `www.` before `at`. Looks `far` characters ahead. */
const wwwLength = (text: string, at: number, far: number, self: typeof parser.linkify): number =>
  Math.max(0, self.testSchemaAt(`http://www.${text.slice(at, at + far)}`, 'http:', 5) - '//www.'.length);

parser.linkify.add('www.', {
  validate(text, at, self) {
    // Most candidates are short: looking further ahead each time would take long.
    const near = 300;
    const length = wwwLength(text, at, near, self);
    return length < near ? length : wwwLength(text, at, 10_000, self);
  },
  normalize(match) {
    match.url = `http://${match.url}`;
  },
});

/** An open element. If it has no node, its children belong to the surrounding element. */
interface Open {
  readonly node: TextElement | undefined;
  readonly into: TextNode[];
}

/** The definition of a footnote. */
interface Note {
  readonly nodes: TextNode[];
  /** The ids of the references to it, in order. */
  readonly marks: string[];
}

const plainNames: Readonly<Record<string, string>> = { s: 'del' };

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
  readonly #open: Open[] = [{ node: undefined, into: this.#root }];
  readonly #notes = new Map<string, Note>();
  #links = 0;
  /** Whether the lists and quotes are too deep. */
  isTooDeep = false;

  get #into(): TextNode[] {
    return this.#open.at(-1)?.into ?? this.#root;
  }

  #push(node: TextElement): void {
    this.#into.push(node);
    this.#open.push({ node, into: node.children });
  }

  #skip(): void {
    this.#open.push({ node: undefined, into: this.#into });
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
        this.#open.push({ node: undefined, into: note.nodes.length === 0 ? note.nodes : [] });
        break;
      }
      default:
        if (token.hidden) this.#skip();
        else this.#push(element(plainNames[token.tag] ?? token.tag, alignOf(token)));
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
    const into = this.#into;
    switch (token.type) {
      case 'text':
        if (token.content !== '') into.push(token.content);
        break;
      case 'softbreak':
        into.push('\n');
        break;
      case 'hardbreak':
        into.push(element('br'), '\n');
        break;
      case 'code_inline':
        into.push(element('code', {}, [token.content]));
        break;
      case 'hr':
        into.push(element('hr'));
        break;
      case 'fence':
      case 'code_block': {
        const [language = ''] = token.info.trim().split(/\s+/, 1);
        const named = language === '' ? {} : { class: `language-${language}` };
        into.push(element('pre', {}, [element('code', named, [token.content])]));
        break;
      }
      case 'image': {
        const asset = assetIn(attributeOf(token, 'src') ?? '');
        const title = attributeOf(token, 'title');
        const alt = altOf(token.children ?? []);
        if (asset === undefined) into.push(alt);
        else into.push(element('img', { asset, alt, ...(title === undefined ? {} : { title }) }));
        break;
      }
      case 'footnote_ref':
        into.push(this.#markOf(token));
        break;
      default:
        into.push(token.content);
    }
  }

  #noteOf(token: Token): Note {
    const label = String(token.meta?.['label']);
    const note = this.#notes.get(label) ?? { nodes: [], marks: [] };
    this.#notes.set(label, note);
    return note;
  }

  #markOf(token: Token): TextElement {
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
      const back = marks.flatMap((id, at) => [
        ' ',
        element(
          'a',
          {
            href: `#${id}`,
            class: 'back',
            'aria-label': `Back to reference ${index + 1}${at === 0 ? '' : `-${at + 1}`}`,
          },
          ['↩'],
        ),
      ]);
      const last = nodes.at(-1);
      if (typeof last === 'object' && last.name === 'p') last.children.push(...back);
      else nodes.push(...back);
      return element('li', { id: `fn-${index + 1}` }, nodes);
    });
    const heading = element('h1', { id: 'footnote-label', class: 'unseen' }, ['Footnotes']);
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
      const into = typeof first === 'object' && first.name === 'p' ? first.children : node.children;
      const [text] = into;
      const box = typeof text === 'string' ? /^\[([ xX])\](?=\s)/.exec(text) : null;
      if (box !== null && typeof text === 'string') {
        const checked: Record<string, string> = box[1] === ' ' ? {} : { checked: 'yes' };
        into.splice(0, 1, element('box', checked), text.slice(box[0].length));
      }
    }
    tick(node.children);
  }
}

/** The tree of a text; undefined if its lists and quotes are more than 40 deep. */
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
  const read = (from: readonly TextNode[]): void => {
    for (const node of from) {
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

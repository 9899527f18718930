// Writes the tree of a text as HTML in parts: strings, and between them the parts that are filled in when the text is
// shown. Runs in the worker thread; no other module imports this file, because it loads the sanitiser. All HTML that
// readers get passes the sanitiser.
import sanitise from 'sanitize-html';
import { slugFrom } from '../../contract/values/slug-text.ts';
import { escapeHtml } from '../html.ts';
import { type TextElement, type TextNode, textContentOf } from './node.ts';
import type { TextPart } from './parts.ts';

/** Encloses the number of a part that is filled in later. No text contains this character: the parser replaces it. */
const placeholderMark = '\u0000';

const voidElements: ReadonlySet<string> = new Set(['br', 'hr']);
const blockNames = /^(?:p|h[1-6]|ul|ol|li|blockquote|pre|table|thead|tbody|tr|th|td|hr|section|figure)$/;

/** The tags, attributes and schemes that this file writes. Nothing else is allowed. */
const sanitiseOptions: sanitise.IOptions = {
  allowedTags: [
    ...['h2', 'h3', 'h4', 'h5', 'h6', 'p', 'ul', 'ol', 'li', 'blockquote', 'pre', 'code', 'em', 'strong', 'del', 'a'],
    ...['br', 'hr', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'div', 'figure', 'figcaption', 'sup', 'section'],
  ],
  allowedAttributes: {
    '*': ['id', 'class'],
    a: ['href', 'title', 'rel', 'id', 'class', 'aria-label', 'aria-describedby'],
    ol: ['start'],
    pre: ['tabindex'],
    div: ['class', 'role', 'aria-label', 'tabindex'],
    th: ['align'],
    td: ['align'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
};

class Writer {
  readonly #deferred: Exclude<TextPart, string>[] = [];
  readonly #ids = new Map<string, number>([['content', 1]]);
  readonly #written: string[] = [];
  readonly #maxLength: number;
  /** The level of the highest headings. The title of the page is above them. */
  readonly #top: number;
  /** The levels, in the text, of the headings above the current position, from the outermost to the innermost. */
  readonly #headings: number[] = [];
  #length = 0;

  constructor(maxLength: number, top: number) {
    this.#maxLength = maxLength;
    this.#top = top;
  }

  get isTooLong(): boolean {
    return this.#length > this.#maxLength;
  }

  #write(html: string): void {
    this.#length += html.length;
    // HTML that is too long is not shown, so it is not kept in memory.
    if (!this.isTooLong) this.#written.push(html);
  }

  /** The placeholder of a part that is filled in later, as text that the sanitiser does not change. */
  #placeholderFor(part: Exclude<TextPart, string>): string {
    this.#deferred.push(part);
    return `${placeholderMark}${this.#deferred.length - 1}${placeholderMark}`;
  }

  /** A unique id that links can lead to. */
  #idOf(text: string): string {
    const base = slugFrom(text, 'part');
    let number = this.#ids.get(base) ?? 0;
    let id = base;
    do {
      number += 1;
      id = number === 1 ? base : `${base}-${number}`;
    } while (number > 1 && this.#ids.has(id));
    this.#ids.set(base, number);
    if (id !== base) this.#ids.set(id, 1);
    return id;
  }

  #attributesOf({ name, attributes }: TextElement): string {
    return Object.entries(attributes)
      .map(([key, value]) => {
        if (key === 'reference') return ` aria-label="${this.#placeholderFor({ label: 'back', number: value })}"`;
        // Paths of the site and of the page are filled in later: feed readers need complete addresses.
        const isPath = name === 'a' && key === 'href' && /^[#/]/.test(value);
        return ` ${key}="${isPath ? this.#placeholderFor({ path: value }) : escapeHtml(value)}"`;
      })
      .join('');
  }

  nodes(nodes: readonly TextNode[]): void {
    for (const node of nodes) {
      if (this.isTooLong) return;
      if (typeof node === 'string') this.#write(escapeHtml(node));
      else this.#element(node);
    }
  }

  #element(node: TextElement): void {
    const { name, attributes, children } = node;
    const level = /^h([1-6])$/.exec(name)?.[1];
    if (name === 'img') this.#write(this.#pictureOf(node));
    else if (name === 'footnotes') this.#write(this.#placeholderFor({ label: 'footnotes' }));
    else if (name === 'box') this.#write(attributes['checked'] === undefined ? '☐' : '☑');
    else if (level !== undefined) this.#heading(node, this.#levelFor(Number(level)));
    else if (name === 'p' && isPicture(children)) this.#figure(children[0]);
    else if (name === 'li' && hasBox(children)) this.#wrap('<li class="task">', children, '</li>');
    else if (name === 'pre') this.#wrap('<pre tabindex="0">', children, '</pre>');
    else if (name === 'table')
      this.#wrap(
        `<div class="table" role="region" aria-label="${this.#placeholderFor({ label: 'table' })}" tabindex="0"><table>`,
        children,
        '</table></div>',
      );
    else if (voidElements.has(name)) this.#write(`<${name}>`);
    else this.#wrap(`<${name}${this.#attributesOf(node)}>`, children, `</${name}>`);
    if (blockNames.test(name)) this.#write('\n');
  }

  #wrap(start: string, children: readonly TextNode[], end: string): void {
    this.#write(start);
    this.nodes(children);
    this.#write(end);
  }

  /** The level of a heading on the page: at most one below the level of the heading before, so no level is skipped. */
  #levelFor(level: number): number {
    while ((this.#headings.at(-1) ?? 0) >= level) this.#headings.pop();
    this.#headings.push(level);
    return Math.min(this.#top + this.#headings.length - 1, 6);
  }

  #heading({ attributes, children }: TextElement, level: number): void {
    const id = attributes['id'] ?? this.#idOf(textContentOf(children));
    const classAttribute = attributes['class'] === undefined ? '' : ` class="${escapeHtml(attributes['class'])}"`;
    this.#wrap(`<h${level} id="${escapeHtml(id)}"${classAttribute}>`, children, `</h${level}>`);
  }

  #pictureOf({ attributes: { asset = '', alt = '', title } }: TextElement): string {
    return this.#placeholderFor({ asset, alt, ...(title === undefined ? {} : { title }) });
  }

  #figure(picture: TextElement): void {
    const { title, ...attributes } = picture.attributes;
    const caption = title === undefined ? '' : `<figcaption>${escapeHtml(title)}</figcaption>`;
    this.#write(`<figure>${this.#pictureOf({ ...picture, attributes })}${caption}</figure>`);
  }

  /** The sanitised HTML, with the parts that are filled in later between its strings. */
  finished(): TextPart[] {
    const html = sanitise(this.#written.join(''), sanitiseOptions);
    return html.split(placeholderMark).flatMap((text, index) => {
      const part = index % 2 === 0 ? text : this.#deferred[Number(text)];
      return part === undefined || part === '' ? [] : [part];
    });
  }
}

const isPicture = (nodes: readonly TextNode[]): nodes is [TextElement] => {
  const [first] = nodes;
  return nodes.length === 1 && typeof first === 'object' && first.name === 'img';
};

const hasBox = ([first]: readonly TextNode[]): boolean =>
  typeof first === 'object' && (first.name === 'box' || (first.name === 'p' && hasBox(first.children)));

/** The HTML of a tree; undefined if it is longer than `maxLength` characters. `top`: the level of its highest headings. */
export function htmlOf(nodes: readonly TextNode[], maxLength: number, top = 2): TextPart[] | undefined {
  const writer = new Writer(maxLength, top);
  writer.nodes(nodes);
  return writer.isTooLong ? undefined : writer.finished();
}

// Finds where the body of an HTML document begins and ends, as a browser reads it: text in a comment, a style, a title
// or an attribute is not a tag. Called by plugins that add something to a mail. Changes nothing, and loads its parser
// at the first call.
import type { Token } from 'parse5';

/** Offsets in the HTML. */
export interface HtmlBodyBounds {
  /** Before the first content that a reader sees. */
  readonly start: number;
  /** After the last content that a reader sees. */
  readonly end: number;
}

/**
 * Elements whose content is text up to their end tag (HTML, section 13.2.5), with the state in which the parser reads
 * it.
 */
const textElements = {
  script: 'SCRIPT_DATA',
  style: 'RAWTEXT',
  xmp: 'RAWTEXT',
  iframe: 'RAWTEXT',
  noembed: 'RAWTEXT',
  noframes: 'RAWTEXT',
  title: 'RCDATA',
  textarea: 'RCDATA',
  plaintext: 'PLAINTEXT',
} as const;

const isTextElement = (name: string): name is keyof typeof textElements => Object.hasOwn(textElements, name);

/** Elements that belong to the head if no body has begun. */
const headElements: ReadonlySet<string> = new Set(
  'base basefont bgsound head html link meta noscript script style template title'.split(' '),
);

/** A tag that is appended to the document. If the parser reads it as a tag, every text element before it is closed. */
const probeTag = 'postrider-end';

/** The offsets in one document, from its tokens in order. */
class BoundsFinder {
  readonly #length: number;
  #bodyStart: number | undefined;
  #content: number | undefined;
  #bodyEnd: number | undefined;
  #htmlEnd: number | undefined;
  /** The start of the text element that is still open. */
  #textFrom: number | undefined;
  #complete = 0;
  #isWhole = false;

  constructor(length: number) {
    this.#length = length;
  }

  startTag(name: string, from: number, to: number): void {
    if (from >= this.#length) {
      this.#isWhole = name === probeTag;
      return;
    }
    this.#complete = to;
    if (isTextElement(name)) this.#textFrom = from;
    if (name === 'body') this.#bodyStart ??= to;
    else if (name === 'html' || name === 'head') this.#content = undefined;
    else if (!headElements.has(name)) this.#content ??= from;
  }

  endTag(name: string, from: number, to: number): void {
    this.#complete = to;
    if (isTextElement(name)) this.#textFrom = undefined;
    if (name === 'body') this.#bodyEnd = from;
    if (name === 'html') this.#htmlEnd = from;
    if (name === 'head') this.#content = undefined;
  }

  text(from: number): void {
    if (this.#textFrom === undefined && from < this.#length) this.#content ??= from;
  }

  doctype(to: number): void {
    this.#complete = to;
    this.#content = undefined;
  }

  comment(to: number): void {
    if (to <= this.#length) this.#complete = to;
  }

  bounds(): HtmlBodyBounds {
    const contentEnd = this.#isWhole ? this.#length : (this.#textFrom ?? this.#complete);
    const end = this.#bodyEnd ?? this.#htmlEnd ?? contentEnd;
    const start = Math.min(this.#bodyStart ?? this.#content ?? end, end);
    return { start, end };
  }
}

let parser: Promise<typeof import('parse5')> | undefined;

/** Reads the whole document once. */
export async function htmlBodyBounds(html: string): Promise<HtmlBodyBounds> {
  // The module is kept, because even the import of a loaded module costs time, for every mail.
  parser ??= import('parse5');
  const { Tokenizer, TokenizerMode } = await parser;
  const finder = new BoundsFinder(html.length);
  const at = ({ location }: Token.Token) => ({ from: location?.startOffset ?? 0, to: location?.endOffset ?? 0 });
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      onStartTag(token) {
        const { from, to } = at(token);
        if (isTextElement(token.tagName)) tokenizer.state = TokenizerMode[textElements[token.tagName]];
        finder.startTag(token.tagName, from, to);
      },
      onEndTag(token) {
        const { from, to } = at(token);
        finder.endTag(token.tagName, from, to);
      },
      onComment: (token) => finder.comment(at(token).to),
      onDoctype: (token) => finder.doctype(at(token).to),
      onCharacter: (token) => finder.text(at(token).from),
      onNullCharacter: () => undefined,
      onWhitespaceCharacter: () => undefined,
      onEof: () => undefined,
      onParseError: null,
    },
  );
  tokenizer.write(`${html}<${probeTag}>`, true);
  return finder.bounds();
}

/**
 * Tracks the position in HTML (or MJML) at each piece of a template, so that Liquid's output can be checked for its place. The
 * caller feeds static text in pieces and announces the Liquid between them. This file reports elements and attributes and checks
 * nothing.
 */

import { GAP, type MarkupContext, type MarkupListener, type OpenElement } from './markup-listener.ts';

type State =
  | 'text'
  | 'open'
  | 'close'
  | 'name'
  | 'closeName'
  | 'attributes'
  | 'attributeName'
  | 'afterName'
  | 'beforeValue'
  | 'value'
  | 'unquoted'
  | 'markup'
  | 'comment'
  | 'bogus'
  | 'rawText';

/** Elements whose content is not markup. Void elements are listed to keep the depth correct. */
const RAW_TEXT: ReadonlySet<string> = new Set(['script', 'style', 'title', 'textarea', 'mj-style', 'mj-title']);
const VOID: ReadonlySet<string> = new Set([
  ...['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'track', 'wbr'],
]);

/** Both forms end a comment in HTML. */
const COMMENT_END = /--!?>/;

export class HtmlPosition {
  /** The offset at which the open attribute value began. `closedAt`: the offset at which the last closed value ended. */
  openedAt: number | undefined;
  closedAt: number | undefined;
  /** The open elements around the position, from the tags alone. */
  readonly stack: OpenElement[] = [];
  private state: State = 'text';
  private buffer = '';
  private element = '';
  private attribute = '';
  private quote = '';
  private since = 0;
  private startedAt = 0;
  /** Inside a conditional comment, which most clients read as a comment up to the next `-->`. */
  conditional = false;
  /** Directly after the start of a conditional comment. */
  private isFresh = false;
  private readonly listener: MarkupListener;

  constructor(listener: MarkupListener) {
    this.listener = listener;
  }

  /** Two positions with equal marks parse the following text in the same way. */
  get mark(): string {
    const { state, element, attribute, quote } = this;
    return state === 'text' || state === 'comment' ? state : `${state} ${element} ${attribute} ${quote}`;
  }

  /** The kind of place for Liquid here; undefined if Liquid is not allowed here. */
  get context(): MarkupContext | undefined {
    const { element, attribute } = this;
    // Directly after `<!--`, a `>` would end the comment, so the buffer is treated as if it ended in `--`.
    if (this.state === 'markup' && this.buffer === '--') this.state = 'comment';
    const { state, buffer } = this;
    if (state === 'text') return { kind: 'text', element: '', attribute: '' };
    if (state === 'value')
      return { kind: 'value', element, attribute, allowsDeclarations: /(?:^|;)[\s\ufffc]*$/.test(buffer) };
    if (state === 'comment' && (buffer === '--' || !buffer.endsWith('-'))) {
      return { kind: 'comment', element: '', attribute: '' };
    }
    if (state !== 'rawText' || /<\/?[a-z-]*$/i.test(buffer)) return undefined;
    const isStyle = element === 'style' || element === 'mj-style';
    return {
      kind: isStyle ? 'style' : 'rcdata',
      element,
      attribute: '',
      allowsDeclarations: /[{;][\s\ufffc]*$/.test(buffer),
    };
  }

  /** Announces that Liquid prints something here. */
  gap(): void {
    this.isFresh = false;
    if (this.state !== 'comment') this.buffer += GAP;
  }

  /** Reads static text; `at` is its offset in the source. */
  feed(text: string, at: number): void {
    this.openedAt = undefined;
    this.closedAt = undefined;
    const wasInValue = this.state === 'value';
    let index = 0;
    while (index < text.length) {
      const was = this.state;
      const next = this.step(text, index, at);
      if (wasInValue && was === 'value' && this.state !== 'value') this.closedAt ??= next - 1;
      index = next;
    }
    if (this.state === 'value' && (!wasInValue || this.closedAt !== undefined)) {
      this.openedAt = Math.max(0, this.since - at);
    }
  }

  /** Reads at least one character and returns the index of the next. */
  private step(text: string, index: number, base: number): number {
    const char = text[index] ?? '';
    const at = base + index;
    switch (this.state) {
      case 'text': {
        const next = text.indexOf('<', index);
        this.readText(text.slice(index, next < 0 ? undefined : next), at);
        if (next < 0) return text.length;
        this.to('open', base + next);
        return next + 1;
      }
      case 'open':
        if (/[a-z]/i.test(char)) return this.enter('name', char, index, at);
        this.isFresh = false;
        if (char === '/') return this.enter('close', '', index, at);
        if (char === '!') return this.enter('markup', '', index, at);
        if (char === '?') return this.enter('bogus', '', index, at);
        this.to('text', at);
        return char === '<' ? index : index + 1;
      case 'close': {
        const isName = /[a-z]/i.test(char);
        return this.enter(isName ? 'closeName' : char === '>' ? 'text' : 'bogus', isName ? char : '', index, at);
      }
      case 'name':
        return this.readName(char, index, at);
      case 'closeName':
        this.buffer += char;
        if (char === '>') this.closeElement(this.buffer, at);
        return index + 1;
      case 'attributes':
      case 'attributeName':
      case 'afterName':
      case 'beforeValue':
        return this.readAttribute(char, index, at);
      case 'value':
        return this.readValue(text, index, base);
      case 'unquoted':
        if (/[\s>]/.test(char)) return this.endAttribute(char === '>' ? index : index + 1);
        this.buffer += char;
        return index + 1;
      case 'markup':
        return this.readMarkup(char, index, at);
      case 'comment':
        this.buffer = (this.buffer + char).slice(-4);
        if (char === '>' && COMMENT_END.test(this.buffer)) this.endComment(at);
        return index + 1;
      case 'bogus':
        return char === '>' ? this.enter('text', '', index, at) : index + 1;
      case 'rawText':
        return this.readRawText(text, index, base);
    }
  }

  private readText(text: string, at: number): void {
    if (/\S/.test(text)) this.isFresh = false;
    if (COMMENT_END.test(text)) this.conditional = false;
    this.listener.text?.(text, at);
  }

  private to(state: State, at: number, buffer = ''): void {
    this.state = state;
    this.buffer = buffer;
    this.since = at;
  }

  private enter(state: State, buffer: string, index: number, at: number): number {
    this.to(state, at, buffer);
    return index + 1;
  }

  private readName(char: string, index: number, at: number): number {
    if (!/[\s/>]/.test(char)) {
      this.buffer += char;
      return index + 1;
    }
    this.element = this.buffer.toLowerCase();
    this.startedAt = this.since - 1;
    this.listener.element(this.element, this.startedAt, this.stack.length, this.isFresh);
    this.isFresh = false;
    this.attribute = '';
    this.to('attributes', at);
    return index;
  }

  private readAttribute(char: string, index: number, at: number): number {
    if (this.state === 'beforeValue') {
      if (/\s/.test(char)) return index + 1;
      if (char === '"' || char === "'") {
        this.quote = char;
        return this.enter('value', '', index, at + 1);
      }
      this.to('unquoted', at);
      return index;
    }
    if (char === '=' && this.state !== 'attributes') {
      if (this.state === 'attributeName') this.attribute = this.buffer.toLowerCase();
      return this.enter('beforeValue', '', index, at);
    }
    if (char === '>' || char === '/' || /\s/.test(char)) {
      if (this.state === 'attributeName') {
        this.attribute = this.buffer.toLowerCase();
        this.to('afterName', at);
      }
      if (/\s/.test(char)) return index + 1;
      if (this.state === 'afterName') this.endAttribute(index);
      if (char === '>') this.endTag(at, this.buffer === '/');
      else this.buffer = '/';
      return index + 1;
    }
    if (this.state === 'attributeName') {
      this.buffer += char;
      return index + 1;
    }
    if (this.state === 'afterName') this.endAttribute(index);
    return this.enter('attributeName', char, index, at);
  }

  private readValue(text: string, index: number, base: number): number {
    const end = text.indexOf(this.quote, index);
    this.buffer += end < 0 ? text.slice(index) : text.slice(index, end);
    if (end < 0) return text.length;
    if (this.conditional && COMMENT_END.test(this.buffer)) {
      this.listener.ambiguous('`-->` inside an attribute of a conditional comment', base + index);
    }
    return this.endAttribute(end + 1);
  }

  private endAttribute(next: number): number {
    this.listener.attribute(this.element, this.attribute, this.state === 'afterName' ? '' : this.buffer, this.since);
    this.to('attributes', this.since);
    return next;
  }

  private endTag(at: number, selfClosing: boolean): void {
    const isRaw = RAW_TEXT.has(this.element);
    const opens = !selfClosing && !isRaw && !VOID.has(this.element);
    if (opens) this.stack.push({ name: this.element, at: this.startedAt });
    this.to(isRaw && !(selfClosing && this.element.startsWith('mj-')) ? 'rawText' : 'text', at);
  }

  private closeElement(tag: string, at: number): void {
    const [, name, rest] = /^([^\s/>]*)([\s\S]*)>$/.exec(tag) ?? [];
    if (rest && /[^\s/]/.test(rest)) this.listener.ambiguous('an end tag with attributes', at);
    const last = this.stack.findLastIndex((open) => open.name === name?.toLowerCase());
    const inner = this.stack[last + 1];
    if (last >= 0 && inner) this.listener.unclosed?.(inner.name, inner.at);
    if (last >= 0) this.stack.length = last;
    this.to('text', at);
  }

  /**
   * Reads the text after `<!`: a comment, a conditional comment (parsed as markup, because Outlook reads it as markup)
   * or a declaration.
   */
  private readMarkup(char: string, index: number, at: number): number {
    this.buffer += char;
    if (/^--?$|^--\[(?:i(?:f[^\]>]*\]?)?)?$/.test(this.buffer)) return index + 1;
    if (/^--\[if[^\]>]*\]>$/.test(this.buffer)) {
      this.conditional = true;
      this.isFresh = true;
      return this.enter('text', '', index, at);
    }
    if (this.buffer.startsWith('--')) {
      const body = this.buffer.slice(2);
      if (body === '>' || body === '->') return this.endComment(at) ?? index + 1;
      if (body === '-') return index + 1;
      return this.enter('comment', body.slice(-4), index, at);
    }
    if (char === '>') {
      if (this.buffer === '[endif]-->') this.conditional = false;
      return this.enter('text', '', index, at);
    }
    if (this.buffer.length > 10) this.to('bogus', at);
    return index + 1;
  }

  private endComment(at: number): undefined {
    this.conditional = false;
    this.to('text', at);
  }

  private readRawText(text: string, index: number, base: number): number {
    const tail = this.buffer.slice(-(this.element.length + 2));
    const rest = tail + text.slice(index);
    const end = new RegExp(`</${this.element}(?=[\\s/>])`, 'i').exec(rest);
    const length = end ? end.index + 2 + this.element.length : rest.length;
    const content = text.slice(index, end ? Math.max(index, index + end.index - tail.length) : undefined);
    this.listener.rawText?.(this.element, content, base + index);
    if (this.conditional && COMMENT_END.test(rest.slice(0, length))) {
      this.listener.ambiguous('`-->` inside an element of a conditional comment', base + index);
    }
    // In HTML these are not raw text elements. Without a tag inside, both readings give the same result.
    if (this.element.startsWith('mj-') && rest.slice(0, end?.index).includes('<')) {
      this.listener.ambiguous(`markup inside \`${this.element}\``, base + index);
    }
    if (!end) {
      this.buffer = rest.slice(-(this.element.length + 2));
      return text.length;
    }
    this.to('closeName', base + index, this.element);
    return Math.max(index, index + length - tail.length);
  }
}

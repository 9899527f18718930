/**
 * The forbidden markup of a mail, as a listener for HtmlPosition: scripts, frames, forms, event handlers, code URLs.
 * Used on authored sources (with lines), on compiled HTML, and on a variable's value printed through `| raw`.
 */
import type { TemplateFaultCode } from './fault.ts';
import { HtmlPosition } from './html-position.ts';
import { ELEMENT_LIMIT, ELEMENT_NESTING_LIMIT, STYLE_ATTRIBUTE_LIMIT } from './limits.ts';
import { GAP, type MarkupListener } from './markup-listener.ts';

import { isUnsafeAttribute, URL_ATTRIBUTES } from './safe-url.ts';

const REFUSED_ELEMENTS: ReadonlySet<string> = new Set([
  ...['script', 'iframe', 'frame', 'frameset', 'object', 'embed', 'applet', 'form', 'input', 'textarea', 'select'],
  ...['button', 'base', 'svg', 'math', 'template', 'portal', 'plaintext', 'xmp', 'listing', 'noembed', 'noframes'],
  ...['noscript', 'mj-include'],
]);

export type ReportFault = (code: TemplateFaultCode, message: string, at: number) => void;

/**
 * Reports every violation of the rules at its position.
 * @param isSource whether this is an author's own source, whose size determines the compilers' cost. Compiled HTML is
 * bounded by its length.
 */
export function createMarkupRules(report: ReportFault, isSource = false): MarkupListener {
  let count = 0;
  function checkSize(elements: number, depth: number, at: number): void {
    if (elements === ELEMENT_LIMIT + 1) report('too_long', `The body has more than ${ELEMENT_LIMIT} elements.`, at);
    if (depth === ELEMENT_NESTING_LIMIT) report('too_deep', `Elements are nested more than ${depth} deep.`, at);
  }
  return {
    element(name, at, depth, isConditional) {
      if (isSource) checkSize(++count, depth, at);
      if (name === 'mj-include')
        report('markup_unsafe', '`mj-include` is not available: write the content into the body.', at);
      // `noscript` is allowed in a conditional comment that only Outlook reads, because Outlook's settings are in it.
      else if (REFUSED_ELEMENTS.has(name) && !(isConditional && name === 'noscript'))
        report('markup_unsafe', `\`<${name}>\` is not allowed in a mail.`, at);
    },
    attribute(element, name, value, at) {
      if (name.startsWith('on') || name === 'srcdoc') {
        report('markup_unsafe', `The attribute \`${name}\` is not allowed in a mail.`, at);
      }
      if (element === 'meta' && name === 'http-equiv' && /refresh/i.test(value)) {
        report('markup_unsafe', 'A mail must not redirect by `<meta http-equiv="refresh">`.', at);
      }
      if (URL_ATTRIBUTES.has(name) && isUnsafeAttribute(name, value.replaceAll(GAP, ''))) {
        report('url_unsafe', `The URL in \`${name}\` would run or carry code.`, at);
      }
      if (isSource && name === 'style' && value.length > STYLE_ATTRIBUTE_LIMIT) {
        report('too_long', `A style attribute has at most ${STYLE_ATTRIBUTE_LIMIT} characters.`, at);
      }
      if (name === 'style' && /expression\s*\(|javascript:|vbscript:|-moz-binding|behavior\s*:/i.test(value)) {
        report('css_unsafe', 'The style would run code.', at);
      }
      if (element === 'mj-html-attribute' && name === 'name' && /^\s*(?:on|srcdoc)/i.test(value)) {
        report('markup_unsafe', 'An event handler is not allowed in a mail.', at);
      }
    },
    ambiguous(what, at) {
      report('markup_unsafe', `Mail clients disagree on ${what}.`, at);
    },
  };
}

/** Checks finished markup, such as a variable that is printed raw, and returns the first violation of the rules. */
export function findMarkupFault(html: string): { code: TemplateFaultCode; message: string } | undefined {
  if (!html.includes('<')) return undefined;
  let violation: { code: TemplateFaultCode; message: string } | undefined;
  const position = new HtmlPosition(
    createMarkupRules((code, message) => {
      violation ??= { code, message };
    }),
  );
  position.feed(html, 0);
  if (!violation && position.context?.kind !== 'text') {
    violation = { code: 'markup_unsafe', message: 'It ends inside a tag, a comment or a style.' };
  }
  return violation;
}

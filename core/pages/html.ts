// HTML from tagged literals: values are escaped unless they are HTML already. Used by every page that the service
// writes itself.

import type { Html } from '../contract/values/html.ts';

export type { Html } from '../contract/values/html.ts';

/** The values allowed in a literal: undefined, null and false write nothing, lists are joined. */
export type HtmlPart = Html | string | number | undefined | null | false | readonly HtmlPart[];

const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as HTML, also inside of a quoted attribute. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (mark) => references[mark] ?? mark);

/**
 * A sentence as HTML. Replaces each `{name}` by the value of that name, such as a person's name or an address. A value keeps its own
 * text direction inside of the sentence. Names without a value stay as they are.
 */
export const sentenceHtml = (sentence: string, values: Readonly<Record<string, string>>): string =>
  escapeHtml(sentence).replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? `<bdi>${escapeHtml(values[name] ?? '')}</bdi>` : whole,
  );

function write(part: HtmlPart): string {
  if (part === undefined || part === null || part === false) return '';
  if (typeof part === 'string') return escapeHtml(part);
  if (typeof part === 'number') return String(part);
  if ('html' in part) return part.html;
  return part.map(write).join('');
}

/** `html`<p>${text}</p>`` with the text escaped. */
export function html(strings: readonly string[], ...parts: readonly HtmlPart[]): Html {
  return { html: strings.map((text, index) => text + write(parts[index])).join('') };
}

/** Joins a list, with a separator. */
export const joinHtml = (parts: readonly HtmlPart[], between: string): Html => ({
  html: parts.map(write).join(escapeHtml(between)),
});

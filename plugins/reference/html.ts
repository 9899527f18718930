// HTML from template literals: values are escaped unless they are HTML already. Used by every part of the page.

/** HTML that is written unescaped. */
export interface Html {
  readonly html: string;
}

/** The values allowed in a template: undefined and false write nothing, lists are joined. */
export type Part = Html | string | number | undefined | false | readonly Part[];

const references: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes text for HTML content and for quoted attributes. */
const escapeText = (text: string): string => text.replace(/[&<>"]/g, (found) => references[found] ?? found);

function write(part: Part): string {
  if (part === undefined || part === false) return '';
  if (typeof part === 'string') return escapeText(part);
  if (typeof part === 'number') return String(part);
  if ('html' in part) return part.html;
  return part.map(write).join('');
}

/** `html`<p>${text}</p>`` with the text escaped. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { html: strings.map((text, index) => text + write(parts[index])).join('') };
}

/** Joins a list, with a separator. */
export const joined = (parts: readonly Part[], between: string): Html => ({
  html: parts.map(write).join(escapeText(between)),
});

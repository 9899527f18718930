// HTML out of template literals: what is put in is escaped unless it is HTML already. Used by every part of the page.

/** HTML that may be written as it is. */
export interface Html {
  readonly html: string;
}

/** What may stand in a template: nothing of undefined and false is written, lists are joined. */
export type Part = Html | string | number | undefined | false | readonly Part[];

const references: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text as it may stand in HTML and in a quoted attribute. */
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

/** A list as one part, with something between. */
export const joined = (parts: readonly Part[], between: string): Html => ({
  html: parts.map(write).join(escapeText(between)),
});

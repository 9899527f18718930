// A mail's HTML with its styles for light or for dark selected, whatever the browser prefers. Called by pages that show
// a mail. Pure.
import { attributeEdits, editedMarkup, type MarkupEdit, readMarkup } from './mail-markup.ts';

/** The colour scheme in which a mail is shown. */
export type MailScheme = 'light' | 'dark';

const always = '(min-width:0)';
const never = '(max-width:0)';

/** Resolves media queries and colour schemes for `scheme`, regardless of the browser's own preference. */
function chooseScheme(css: string, scheme: MailScheme): string {
  return css
    .replace(/\(\s*prefers-color-scheme\s*:\s*(light|dark|no-preference)\s*\)/gi, (_, preferred: string) =>
      preferred.toLowerCase() === scheme ? always : never,
    )
    .replace(/(^|[^-\w])color-scheme\s*:\s*([a-z ]+)/gi, (declaration, before: string, schemes: string) =>
      schemes.toLowerCase().split(/\s+/).includes(scheme) ? `${before}color-scheme:${scheme}` : declaration,
    );
}

/** The HTML as a mail program in this colour scheme shows it. A mail without styles for the scheme stays as it is. */
export function mailInScheme(html: string, scheme: MailScheme): string {
  const choose = (css: string): string => chooseScheme(css, scheme);
  const edits: MarkupEdit[] = [];
  for (const token of readMarkup(html)) {
    if (token.kind === 'raw' && token.name === 'style') {
      const { start, end } = token;
      edits.push({ start, end, text: choose(html.slice(start, end)) });
    }
    if (token.kind !== 'open' || token.attributes.size === 0) continue;
    const { name, attributes } = token;
    for (const attribute of ['media', 'style']) edits.push(...attributeEdits(attributes.get(attribute), choose));
    if (name === 'meta' && /^(supported-color-schemes|color-scheme)$/i.test(attributes.get('name')?.value ?? ''))
      edits.push(
        ...attributeEdits(attributes.get('content'), (value) =>
          value.toLowerCase().split(/\s+/).includes(scheme) ? scheme : value,
        ),
      );
  }
  return editedMarkup(html, edits);
}

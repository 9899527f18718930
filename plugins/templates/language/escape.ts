/**
 * Escapes text for its place in the markup. Called for every placeholder of a mail; fast if there is nothing to escape.
 */

const SPECIAL = /[&<>"']/;
const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
};

/** Escapes for HTML text and for quoted attribute values. */
export function escapeHtml(text: string): string {
  return SPECIAL.test(text) ? text.replace(/[&<>"']/g, (char) => REFERENCES[char] ?? char) : text;
}

/**
 * Returns, as a sentence, why a text is not allowed in a style; undefined if it is allowed.
 * @param declares whether the text may contain declarations, and not only a value or a part of a value
 */
export function findCssFault(text: string, declares = false): string | undefined {
  if (!declares && text.includes(';')) return 'A style contains a value, not a rule.';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: controls are among what is refused.
  if (/[{}<>\\@\u0000-\u0008\u000a-\u001f]|\/\*|\*\//.test(text)) return 'A style contains a value, not a rule.';
  if (/(?:url|expression|image-set)\s*\(|javascript:|vbscript:|data:/i.test(text))
    return 'A style must not load or run anything.';
  return undefined;
}

/**
 * Sets the language of a compiled mail whose author declared none: screen readers choose their pronunciation by it, and
 * clients offer translations. Called by compile.ts only.
 */

const DOCUMENT = /<html\b[^>]*>/i;
/** The element that MJML puts around the mail, for clients that drop the document's own tag. */
const ARTICLE = /<div\s+aria-roledescription="email"[^>]*>/i;

/** Sets it; a mail without an `html` element has no place for it. */
export function setLanguage(html: string, mode: 'mjml' | 'html', lang: string | undefined): string {
  if (lang === undefined) return html;
  // Where `<mjml>` declares no language, MJML writes that it is undetermined.
  const determine = (tag: string): string => tag.replace(/(\slang=)"und"/i, (_, name: string) => `${name}"${lang}"`);
  if (mode === 'mjml') return html.replace(DOCUMENT, determine).replace(ARTICLE, determine);
  return html.replace(DOCUMENT, (tag) =>
    /\slang\s*=/i.test(tag) ? tag : tag.replace(/^<html/i, (name) => `${name} lang="${lang}"`),
  );
}

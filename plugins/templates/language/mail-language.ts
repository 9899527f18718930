/**
 * Sets the language and the title of a compiled mail whose author declared none: screen readers choose their pronunciation by
 * the one and announce the other, and clients offer translations. Called by compile.ts only.
 */
import { escapeHtml } from './escape.ts';
import { isTemplateFault } from './fault.ts';
import { splitSource } from './grammar.ts';
import { parseTemplate } from './liquid.ts';

const DOCUMENT = /<html\b[^>]*>/i;
/** The element that MJML puts around the mail, for clients that drop the document's own tag. */
const ARTICLE = /<div\s+aria-roledescription="email"[^>]*>/i;

/** Sets it; a mail without an `html` element has no place for it. */
export function setLanguage(html: string, mode: 'mjml' | 'html', lang: string | undefined): string {
  // Where `<mjml>` declares no language, MJML writes that it is undetermined, which some readers take for a language.
  const determine = (tag: string): string => tag.replace(/\slang="und"/i, lang === undefined ? '' : ` lang="${lang}"`);
  if (mode === 'mjml') return html.replace(DOCUMENT, determine).replace(ARTICLE, determine);
  if (lang === undefined) return html;
  return html.replace(DOCUMENT, (tag) =>
    /\slang\s*=/i.test(tag) ? tag : tag.replace(/^<html/i, (name) => `${name} lang="${lang}"`),
  );
}

/** What MJML writes where its author declared no title. */
const NO_TITLE = '<title></title>';

/** Gives a mail without a title its subject, a Liquid source, as the title. */
export function setTitle(html: string, mode: 'mjml' | 'html', subject: string): string {
  if (mode !== 'mjml' || subject === '' || !html.includes(NO_TITLE)) return html;
  const shown = splitSource(subject).map(({ kind, text }) => (kind === 'text' ? escapeHtml(text) : text));
  const title = `<title>${shown.join('')}</title>`;
  try {
    parseTemplate(title, 'html');
  } catch (error) {
    // A subject may contain Liquid that markup may not, such as `raw`: such a mail goes without a title.
    if (isTemplateFault(error)) return html;
    throw error;
  }
  return html.replace(NO_TITLE, () => title);
}

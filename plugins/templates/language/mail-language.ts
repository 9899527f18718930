/**
 * Sets the language, the direction and the title of a compiled mail if its author declared none. Screen readers use the
 * language for their pronunciation and announce the title; mail clients offer translations. Called by compile.ts only.
 */
import { escapeHtml } from './escape.ts';
import { isTemplateFault } from './fault.ts';
import { splitSource } from './grammar.ts';
import { parseTemplate } from './liquid.ts';

const DOCUMENT = /<html\b[^<>]*>/i;
/** The element that MJML puts around the mail, for clients that drop the document's own tag. */
const ARTICLE = /<div\s+aria-roledescription="email"[^<>]*>/i;

/** The scripts of `directionOf` in the core. The compiler's thread does not load the core. */
const RIGHT_TO_LEFT: ReadonlySet<string> = new Set([
  ...['Adlm', 'Arab', 'Aran', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Samr', 'Syrc', 'Thaa', 'Yezi'],
]);

/** Whether the language is written from right to left. */
export const isRightToLeft = (lang: string | undefined): boolean =>
  lang !== undefined && RIGHT_TO_LEFT.has(new Intl.Locale(lang).maximize().script ?? '');

/** Defaults for elements whose author sets no direction or alignment: MJML's own defaults are left to right. */
const rightToLeftDefaults = `<mj-attributes>${['section', 'wrapper', 'group', 'column']
  .map((name) => `<mj-${name} direction="rtl" />`)
  .join('')}<mj-text align="right" /><mj-table align="right" /></mj-attributes>`;

/**
 * Returns MJML that is laid out from right to left, with the same lines. Unchanged if the author gives `mjml` a
 * direction.
 */
export function rightToLeftMjml(mjml: string): string {
  const root = /<mjml\b[^<>]*>/i.exec(mjml)?.[0] ?? '';
  if (/\sdir\s*=/i.test(root)) return mjml;
  const turned = mjml.replace(/<mjml\b/i, (name) => `${name} dir="rtl"`);
  const empty = /<mj-head\s*\/>/i;
  if (empty.test(turned)) return turned.replace(empty, `<mj-head>${rightToLeftDefaults}</mj-head>`);
  const head = /<mj-head\b[^<>]*>/i;
  if (head.test(turned)) return turned.replace(head, (tag) => `${tag}${rightToLeftDefaults}`);
  return turned.replace(/<mjml\b[^<>]*>/i, (tag) => `${tag}<mj-head>${rightToLeftDefaults}</mj-head>`);
}

/** Sets the language; a mail without an `html` element has no place for it. */
export function setLanguage(html: string, mode: 'mjml' | 'html', lang: string | undefined): string {
  // If `<mjml>` declares no language, MJML writes `und` (undetermined), which some readers take for a language.
  const setLang = (tag: string): string => tag.replace(/\slang="und"/i, lang === undefined ? '' : ` lang="${lang}"`);
  if (mode === 'mjml') return html.replace(DOCUMENT, setLang).replace(ARTICLE, setLang);
  if (lang === undefined) return html;
  const languageAttributes = { lang, ...(isRightToLeft(lang) ? { dir: 'rtl' } : {}) };
  return html.replace(DOCUMENT, (tag) => {
    // If the author declared a language, the direction is the author's, too, and nothing is added.
    if (/\slang\s*=/i.test(tag)) return tag;
    const missingAttributes = Object.entries(languageAttributes).filter(
      ([name]) => !new RegExp(`\\s${name}\\s*=`, 'i').test(tag),
    );
    return tag.replace(
      /^<html/i,
      (name) => name + missingAttributes.map(([key, value]) => ` ${key}="${value}"`).join(''),
    );
  });
}

/** The title that MJML writes if the author declared none. */
const NO_TITLE = '<title></title>';

/** Sets the subject, a Liquid source, as the title of a mail that has none. */
export function setTitle(html: string, mode: 'mjml' | 'html', subject: string): string {
  if (mode !== 'mjml' || subject === '' || !html.includes(NO_TITLE)) return html;
  const pieces = splitSource(subject).map(({ kind, text }) => (kind === 'text' ? escapeHtml(text) : text));
  const title = `<title>${pieces.join('')}</title>`;
  try {
    parseTemplate(title, 'html');
  } catch (error) {
    // A subject may contain Liquid that is not allowed in markup, such as `raw`. Such a mail stays without a title.
    if (isTemplateFault(error)) return html;
    throw error;
  }
  return html.replace(NO_TITLE, () => title);
}

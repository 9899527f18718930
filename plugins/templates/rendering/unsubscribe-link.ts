// Checks that marketing mail has an unsubscribe link, in the HTML and in the text part of each language. Called when a version
// becomes current or is proposed, when a published template becomes marketing mail, and for composed templates.
import type { ErrorDetail } from '../../../core/index.ts';
import { refuseTemplate } from '../authoring/authoring.ts';
import { linkMarks } from '../language/marks.ts';
import type { TemplateRow, TemplateVersionRow } from '../tables.ts';
import { frozenContent, localeNames } from '../versions/frozen-locales.ts';

interface Parts {
  readonly html: string;
  readonly text: string;
}

const advice = (what: string): string =>
  `${what} has no link to unsubscribe, which marketing mail needs in each language. Put %unsubscribe_url%, or %preferences_url%, where the link leads, as in <a href="%unsubscribe_url%">Unsubscribe</a>.`;

const isLinked = (part: string): boolean => linkMarks.some((mark) => part.includes(mark));

/** Reports the parts of one language that lack the link. `prefix` begins the paths. */
export function missingLinks({ html, text }: Parts, prefix = ''): ErrorDetail[] {
  const lackingParts = [
    ...(html.trim() === '' || isLinked(html) ? [] : [{ field: 'body', what: 'The body' }]),
    ...(text.trim() === '' || isLinked(text) ? [] : [{ field: 'text', what: 'The text part' }]),
  ];
  return lackingParts.map(({ field, what }) => ({
    path: `${prefix}${field}`,
    code: 'unsubscribe_missing',
    message: advice(prefix === '' ? what : `${what} of ${prefix.split('.')[1]}`),
  }));
}

/** @throws template_invalid naming each part of each language without the link */
export function requireUnsubscribeLink(
  { category, kind }: Pick<TemplateRow, 'category' | 'kind'>,
  { html, text_part: text, locales }: Pick<TemplateVersionRow, 'html' | 'text_part' | 'locales'>,
): void {
  if (category !== 'marketing' || kind === 'layout') return;
  const otherLocales = localeNames(locales).flatMap((locale) => {
    const content = locales === null ? undefined : frozenContent(locales, locale);
    return content === undefined ? [] : missingLinks(content, `locales.${locale}.`);
  });
  const details = [...missingLinks({ html, text }), ...otherLocales];
  if (details.length > 0) refuseTemplate(details.slice(0, 50));
}

// Makes a template in several languages of one layout and its texts, for templates.create. For a program's own templates.
import { canonicalLocale } from '../../../core/index.ts';
import { fillMarks, type NestedTexts } from './marks.ts';

/**
 * A layout that all languages share: Liquid, in which `[[name]]` or `[[group.name]]` marks a text, `[[language]]` the
 * language tag, and `[[left~right]]` what differs between languages from left to right and from right to left.
 */
export interface TemplateLayout {
  readonly subject: string;
  /** (Default: none) */
  readonly previewText?: string;
  /** MJML or HTML. */
  readonly body: string;
  /** (Default: derived from the body) */
  readonly text?: string;
}

/** What templates.create and templates.update take: the first language, and the others. */
export interface LocalizedTemplate extends TemplateLayout {
  readonly locale: string;
  readonly locales: Readonly<Record<string, TemplateLayout>>;
}

/**
 * Puts the texts of each language into a layout. A text is plain: in the body its `<`, `&` and quotes are escaped. `{name}`
 * in a text becomes the variable `{{name}}`, and a mark may give other Liquid or markup in its place:
 * `[[greeting||name=<strong>{{name}}</strong>]]`. In languages from right to left, the body has an element around the variable,
 * so that a Latin name or an amount does not disturb the order of the sentence.
 * @param texts by BCP 47 tag; the first language is the template's own
 * @throws Error if there is no language, a tag is wrong, or a language lacks a text of the layout
 */
export function localizeTemplate<Texts extends NestedTexts>(
  layout: TemplateLayout,
  texts: Readonly<Record<string, Texts>>,
): LocalizedTemplate {
  const contents = Object.entries(texts).map(([tag, own]): readonly [string, TemplateLayout] => {
    const language = canonicalLocale(tag);
    if (language === undefined) throw new Error(`localizeTemplate: “${tag}” is not a language tag (BCP 47).`);
    const { subject, previewText, body, text } = layout;
    const plain = (source: string) => fillMarks(source, { language, texts: own }, 'plain');
    return [
      language,
      {
        subject: plain(subject),
        ...(previewText === undefined ? {} : { previewText: plain(previewText) }),
        body: fillMarks(body, { language, texts: own }, 'html'),
        ...(text === undefined ? {} : { text: plain(text) }),
      },
    ];
  });
  const [first, ...others] = contents;
  if (first === undefined) throw new Error('localizeTemplate: give the texts of at least one language.');
  const [locale, content] = first;
  return { locale, ...content, locales: Object.fromEntries(others) };
}

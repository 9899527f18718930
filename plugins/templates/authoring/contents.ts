// The contents of a working copy, one for each language, and their common contract. Called when a working copy is
// compiled, shown or sent; compiles nothing itself.
import { hash } from 'node:crypto';
import { type Contract, checkContract, inferContract, joinContracts } from '../contract/schema.ts';
import type { MailPart } from '../language/compile.ts';
import { composeLayout, type LayoutParts, splitLayout } from '../language/layout.ts';
import { TEMPLATE_ELEMENT_LIMIT, TEMPLATE_SOURCE_LIMIT, TEMPLATE_STEP_LIMIT } from '../language/limits.ts';
import { parseTemplate } from '../language/liquid.ts';
import type { Placeholder } from '../language/placeholders.ts';
import { countElements, countSteps } from '../language/source-work.ts';
import { RecentlyUsed } from '../rendering/compiled-template.ts';
import type { TemplateRow } from '../tables.ts';
import { placeholdersOfCallers, type ThemeContext } from '../theme/theme.ts';
import type { LayoutVersionRef, PublishedLayout } from './layouts.ts';
import { chooseLocale, parseLocales } from './locales.ts';

/** The columns of a working copy that contain its content. */
export type WorkingCopy = Pick<
  TemplateRow,
  'kind' | 'mode' | 'body' | 'text_part' | 'subject' | 'preview_text' | 'variables' | 'locale' | 'locales'
> &
  Partial<Pick<TemplateRow, 'theme_id'>>;

/**
 * One frozen language of a working copy: the template's own content, or an entry of `locales` with its missing parts taken
 * from the template.
 */
export interface DraftSource {
  readonly mode: 'mjml' | 'html';
  readonly body: string;
  readonly text_part: string | null;
  readonly subject: string;
  readonly preview_text: string;
  readonly variables: string | null;
  /** Missing in contents that were frozen before languages and layouts existed. */
  readonly locale?: string | null;
  /** The parts that this entry of `locales` defines itself. Faults in these parts are reported under the entry. */
  readonly own?: readonly string[];
  readonly layout?: LayoutVersionRef | null;
  readonly kind?: 'layout' | null;
  readonly theme_id?: string | null;
  /** The values of the theme. */
  readonly theme?: ThemeContext;
}

/** One language of a working copy. */
export interface LanguageContent {
  readonly locale: string | null;
  readonly subject: string;
  readonly previewText: string;
  readonly body: string;
  readonly text: string | null;
  /** The parts that this language defines itself instead of inheriting; undefined for the template's own content. */
  readonly own: readonly string[] | undefined;
}

/** The path of a part in the author's template: `body`, `locales.de.body`. */
export const pathOf = ({ locale, own }: LanguageContent, part: MailPart): string =>
  own?.includes(part) ? `locales.${locale}.${part}` : part;

/** Returns the template's own content, then the content of each of `locales`. */
export function contentsOf(working: WorkingCopy): [LanguageContent, ...LanguageContent[]] {
  const { subject, preview_text: previewText, body, text_part: text, locale } = working;
  const ownContent: LanguageContent = { locale, subject, previewText, body, text, own: undefined };
  const otherContents = Object.entries(parseLocales(working)).map(([tag, content]): LanguageContent => {
    const { body: ownBody } = content;
    return {
      locale: tag,
      subject: content.subject ?? subject,
      previewText: content.previewText ?? previewText,
      body: ownBody ?? body,
      // A language with its own body does not inherit the text part, because HTML and text would be in different
      // languages.
      text: content.text ?? (ownBody === undefined ? text : null),
      own: [...Object.keys(content), ...(ownBody === undefined ? [] : ['text'])],
    };
  });
  return [ownContent, ...otherContents];
}

/** The content for a recipient's language, ready to be stored. */
export function freezeContent(
  working: WorkingCopy,
  requested: string | undefined,
  layout: LayoutVersionRef | undefined,
  theme?: ThemeContext,
): DraftSource {
  const [ownContent, ...otherContents] = contentsOf(working);
  const inLocale = (tag: string | null) => otherContents.find(({ locale }) => locale === tag);
  const locale = chooseLocale(requested, ownContent.locale, (tag) => inLocale(tag) !== undefined);
  const content = inLocale(locale) ?? ownContent;
  return {
    mode: working.mode,
    body: content.body,
    text_part: content.text,
    subject: content.subject,
    preview_text: content.previewText,
    variables: working.variables,
    locale,
    ...(content.own === undefined ? {} : { own: content.own }),
    layout: layout === undefined ? null : { key: layout.key, templateId: layout.templateId, version: layout.version },
    kind: working.kind,
    ...(theme === undefined ? {} : { theme, theme_id: working.theme_id ?? null }),
  };
}

/** Parses a frozen content. */
export const contentOf = (draft: DraftSource): LanguageContent => ({
  locale: draft.locale ?? null,
  subject: draft.subject,
  previewText: draft.preview_text,
  body: draft.body,
  text: draft.text_part,
  own: draft.own,
});

/**
 * The contract of contents with these placeholders: the author's or the inferred contract, joined with the layout's
 * contract.
 */
export function contractOf(
  authored: Contract | undefined,
  placeholders: readonly Placeholder[],
  layout: PublishedLayout | undefined,
): Contract {
  const ownContract = authored ?? inferContract(placeholders);
  if (layout === undefined) return ownContract;
  return joinContracts(ownContract, layout.contract, { authored: authored !== undefined, placeholders });
}

/**
 * Returns the reason, as a sentence, if all languages together would cost too much to parse or to compile; otherwise
 * undefined.
 */
export function sourceCostFault(sources: readonly string[], bodies: readonly string[] = []): string | undefined {
  const total = (of: readonly string[], count: (source: string) => number) =>
    of.reduce((before, source) => before + count(source), 0);
  if (total(sources, ({ length }) => length) > TEMPLATE_SOURCE_LIMIT)
    return `All languages together, each in its layout, have at most ${TEMPLATE_SOURCE_LIMIT} characters.`;
  if (total(sources, countSteps) > TEMPLATE_STEP_LIMIT)
    return `All languages together have at most ${TEMPLATE_STEP_LIMIT} Liquid tags and placeholders, each in its layout; a long one counts for every 32 characters.`;
  return total(bodies, countElements) > TEMPLATE_ELEMENT_LIMIT
    ? `The bodies of all languages together have at most ${TEMPLATE_ELEMENT_LIMIT} elements; an MJML element counts as five.`
    : undefined;
}

/** A cache of inferred contracts by their sources; its limit is in estimated bytes. */
const inferredContracts = new RecentlyUsed<Contract>(4 * 1_048_576);

/** The current contract of a working copy; empty while the working copy does not parse or is too large. */
export function draftContract(working: WorkingCopy, layout: PublishedLayout | undefined): Contract {
  const checked =
    working.variables === null ? undefined : checkContract(JSON.parse(working.variables) as Record<string, unknown>);
  if (checked?.ok) return contractOf(checked.contract, [], layout);
  const { kind, mode, subject, preview_text, body, text_part, locales } = working;
  const sources = [kind, mode, subject, preview_text, body, text_part, locales, layout];
  const key = hash('sha256', JSON.stringify(sources));
  const inferredContract = inferredContracts.get(key);
  if (inferredContract !== undefined) return inferredContract;
  const contract = inferDraftContract(working, layout);
  inferredContracts.set(key, contract, 1_024 + 16 * JSON.stringify(contract).length);
  return contract;
}

function inferDraftContract(working: WorkingCopy, layout: PublishedLayout | undefined): Contract {
  try {
    const sources = sourcesOf(contentsOf(working), working, layout);
    if (sourceCostFault(sources) !== undefined) return inferContract([]);
    const placeholders = sources.flatMap((source) => parseTemplate(source, 'plain').placeholders);
    return contractOf(undefined, placeholdersOfCallers(placeholders, layout?.contract), layout);
  } catch {
    return inferContract([]);
  }
}

/** The distinct sources of contents, as they are parsed: a body inside its layout, a layout without a body. */
export function sourcesOf(
  contents: readonly LanguageContent[],
  { kind, mode }: Pick<WorkingCopy, 'kind' | 'mode'>,
  layout: PublishedLayout | undefined,
): string[] {
  const split = new Map<string, LayoutParts>();
  const inLayout = (part: 'body' | 'text', source: string): string => {
    const layoutSource = kind === 'layout' ? source : layout?.[part];
    if (typeof layoutSource !== 'string') return source;
    const parts = split.get(part) ?? splitLayout(layoutSource, part === 'body' ? mode : 'plain');
    // A layout has one content only, so each part has one source to split.
    split.set(part, parts);
    return composeLayout(parts, kind === 'layout' ? '' : source);
  };
  const sources = contents.flatMap(({ subject, previewText, body, text }) => [
    subject,
    previewText,
    inLayout('body', body),
    ...(text === null ? [] : [inLayout('text', text)]),
  ]);
  return [...new Set(sources)];
}

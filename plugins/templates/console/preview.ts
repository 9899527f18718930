// The preview of a template in the console: in each of its languages, light and dark, wide and narrow, and as plain text. The query of
// the page selects the view.
import { type ConsoleContext, type ConsoleDocument, isPostriderError, localeTag } from '../../../core/index.ts';
import {
  conclusion,
  directionOf,
  documentFrame,
  facts,
  type Html,
  type HtmlPart,
  hiddenValue,
  html,
  type MailScheme,
  mailInScheme,
  panel,
  tabBar,
  wordsForPeople,
} from '../../../core/unstable.ts';
import type { ContractNode } from '../contract/node.ts';
import { previewVariablesOf } from '../contract/sample.ts';
import { hasWriteOnly } from '../contract/write-only.ts';
import type { TemplateDetail } from '../schema.ts';
import { languageWords } from './words.ts';

/** The view that the query of the page selects. */
interface PreviewChoices {
  readonly isWorkingCopy: boolean;
  readonly language: string | undefined;
  readonly scheme: MailScheme;
  readonly isNarrow: boolean;
  readonly isText: boolean;
}

/** Reads the query. A language that is not a BCP 47 tag is ignored. */
function choicesOf({ query }: Pick<ConsoleContext, 'query'>, { version, draft }: TemplateDetail): PreviewChoices {
  return {
    isWorkingCopy: version === 0 || (draft && query['copy'] === 'working'),
    language: localeTag.safeParse(query['language']).data,
    scheme: query['colours'] === 'dark' ? 'dark' : 'light',
    isNarrow: query['as'] === 'phone',
    isText: query['as'] === 'text',
  };
}

/** The template with the content to show: the working copy, or the published version. */
const contentFor = async (
  { calls }: ConsoleContext,
  template: TemplateDetail,
  { isWorkingCopy }: PreviewChoices,
): Promise<TemplateDetail> =>
  isWorkingCopy ? template : calls.templates.read({ key: template.key, version: template.version });

/** Renders the content with its example, passed as `variables`, because the operation masks writeOnly values only in `variables`. */
const renderContent = (
  { calls }: ConsoleContext,
  { key, variables }: TemplateDetail,
  { isWorkingCopy, language }: PreviewChoices,
  hasHtml: boolean,
) =>
  calls.templates.render({
    key,
    draft: isWorkingCopy,
    html: hasHtml,
    variables: previewVariablesOf(variables),
    ...(language === undefined ? {} : { locale: language }),
  });

type Rendered = Awaited<ReturnType<typeof renderContent>>;

/**
 * Renders the mail. If its content cannot be rendered, returns the result of `otherwise`, which gets the reason.
 * @throws errors that are not about the template's content
 */
async function renderOrElse<Other>(render: () => Promise<Rendered>, otherwise: (reason: string) => Other) {
  try {
    return await render();
  } catch (error) {
    if (!isPostriderError(error) || error.status >= 500 || error.code === 'template_not_found') throw error;
    return otherwise(wordsForPeople(error.message));
  }
}

/** The links to the other views of the mail. */
function controls(
  ctx: ConsoleContext,
  content: TemplateDetail,
  wish: PreviewChoices,
  shown: string | null | undefined,
): Html {
  const { key, locale, locales, version } = content;
  const link = (changes: Readonly<Record<string, string | undefined>>): string =>
    `${ctx.link(`templates/${key}`, { ...ctx.query, ...changes })}#preview`;
  const languages = [locale, ...Object.keys(locales)].map((tag) => ({
    text: tag === null ? 'No language named' : languageWords(tag),
    href: link({ language: tag ?? undefined }),
    isCurrent: tag === shown,
  }));
  const copies =
    version > 0 && content.draft
      ? [
          { text: 'Published version', href: link({ copy: undefined }), isCurrent: !wish.isWorkingCopy },
          { text: 'Working copy', href: link({ copy: 'working' }), isCurrent: wish.isWorkingCopy },
        ]
      : [];
  const ways = [
    { text: 'Desktop', href: link({ as: undefined }), isCurrent: !wish.isNarrow && !wish.isText },
    { text: '320 px', href: link({ as: 'phone' }), isCurrent: wish.isNarrow },
    { text: 'Plain text', href: link({ as: 'text' }), isCurrent: wish.isText },
  ];
  const colours = [
    { text: 'Light', href: link({ colours: undefined }), isCurrent: wish.scheme === 'light' },
    { text: 'Dark', href: link({ colours: 'dark' }), isCurrent: wish.scheme === 'dark' },
  ];
  return html`<div class="controls">${tabBar('Copy', copies)}${tabBar('Language', languages)}${tabBar('Shown as', ways)}${wish.isText ? null : tabBar('Colours', colours)}</div>`;
}

/** If the template lacks the selected language: a notice that names the language that is shown instead. */
function fallback({ language }: PreviewChoices, { locale }: Rendered): Html | null {
  if (language === undefined || language === locale) return null;
  const instead = locale === null ? 'the content without a language' : languageWords(locale);
  return conclusion(
    'info',
    `The template has no ${languageWords(language)}. Recipients with this language get ${instead}.`,
  );
}

function shownMail(ctx: ConsoleContext, { key, name }: TemplateDetail, wish: PreviewChoices, mail: Rendered): HtmlPart {
  const { locale, text } = mail;
  if (wish.isText) {
    const direction = locale === null ? 'auto' : directionOf(locale);
    return html`<pre class="plain" dir="${direction}" tabindex="0" role="region" aria-label="Plain text">${text}</pre>`;
  }
  const { copy, language, colours } = ctx.query;
  const frame = documentFrame(
    ctx.link(`templates/${key}/preview`, { copy, language, colours }),
    `Preview of ${name}`,
    wish.isNarrow,
  );
  if (wish.scheme === 'light' || mail.html !== mailInScheme(mail.html ?? '', 'dark')) return frame;
  return html`<p class="quiet">The mail has no styles for dark mode. Some mail programs show it as here, others change its colours.</p>${frame}`;
}

/** The preview, with the links to its other views. */
export async function previewPanel(ctx: ConsoleContext, template: TemplateDetail): Promise<Html> {
  const wish = choicesOf(ctx, template);
  const content = await contentFor(ctx, template, wish);
  const mail = await renderOrElse(
    () => renderContent(ctx, content, wish, wish.scheme === 'dark' && !wish.isText),
    (reason) => conclusion('bad', 'There is no preview.', reason),
  );
  const masked = hasWriteOnly(content.variables as ContractNode)
    ? ` Values that only the mail itself shows are ${hiddenValue}.`
    : '';
  const note = html`<p class="quiet">${wish.isWorkingCopy ? 'The working copy' : 'The published version'}, filled with an example.${masked} Pictures from other hosts are not loaded here.</p>`;
  if (!('subject' in mail))
    return html`<div id="preview">${panel('Preview', [note, controls(ctx, content, wish, undefined), mail])}</div>`;
  const warnings = mail.warnings.map(({ message }) => html`<li>${message}</li>`);
  const lines = facts([
    ['Subject', mail.subject],
    ['Preview text', mail.previewText],
    ['To improve', warnings.length === 0 ? undefined : html`<ul>${warnings}</ul>`],
  ]);
  return html`<div id="preview">${panel('Preview', [
    note,
    controls(ctx, content, wish, mail.locale),
    fallback(wish, mail),
    lines,
    shownMail(ctx, template, wish, mail),
  ])}</div>`;
}

/** The rendered mail, for the frame. */
export async function templatePreview(ctx: ConsoleContext): Promise<ConsoleDocument> {
  const template = await ctx.calls.templates.read({ key: ctx.params['key'] ?? '' });
  const wish = choicesOf(ctx, template);
  const content = await contentFor(ctx, template, wish);
  const mail = await renderOrElse(
    () => renderContent(ctx, content, wish, true),
    (reason) => html`<!doctype html><title>No preview</title><p>${reason}</p>`.html,
  );
  return { document: typeof mail === 'string' ? mail : mailInScheme(mail.html ?? '', wish.scheme) };
}

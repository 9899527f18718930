// Compiles a working copy in its layout and freezes it as the next version. Called before the transactions of publishing and
// proposing.
import type { PrepareContext, WorkspaceHandle } from '../../../core/index.ts';
import { type CompiledContent, compileWorkingCopy, refuseTemplate } from '../authoring/authoring.ts';
import { loadLayout, type PublishedLayout } from '../authoring/layouts.ts';
import { templateNotFound } from '../authoring/template-not-found.ts';
import { errors } from '../errors.ts';
import { layOutText } from '../language/text-marks.ts';
import { findTemplate } from '../store.ts';
import type { TemplateRow } from '../tables.ts';
import { loadTheme, type ThemeContext } from '../theme/theme.ts';
import { sourceOf } from './content-kind.ts';
import { freezeLocales } from './frozen-locales.ts';
import type { FrozenVersion } from './make-current.ts';

/** Loads a template that can still be changed. @throws template_not_found; template_archived */
export async function templateToChange(handle: WorkspaceHandle, key: string, advice?: string): Promise<TemplateRow> {
  const row = await findTemplate(handle, key);
  if (row === undefined) throw await templateNotFound(handle, key, advice);
  if (row.status === 'archived') throw errors.template_archived({ key });
  return row;
}

/** A template with the layout and the theme that are frozen with its next version. */
interface ReadTemplate {
  readonly row: TemplateRow;
  readonly layout: PublishedLayout | undefined;
  readonly theme: ThemeContext | undefined;
}

/**
 * @param advice text at the end of the message if no template has the key (Default: none)
 * @throws template_not_found; template_archived; layout_not_found; layout_not_published
 */
export const readForVersion = (ctx: PrepareContext, key: string, advice?: string): Promise<ReadTemplate> =>
  ctx.read(async (tx) => {
    const row = await templateToChange(tx.trx, key, advice);
    return { row, layout: await loadLayout(tx.trx, row.layout), theme: await loadTheme(tx, row.theme_id) };
  });

/**
 * Every language of an email needs a subject, and a body or a text part. A layout needs neither.
 * @throws template_invalid
 */
function refuseEmpty({ kind }: TemplateRow, contents: readonly CompiledContent[]): void {
  if (kind === 'layout') return;
  const faults = contents.flatMap(({ locale, subject, html, text }, index) => {
    const pathPrefix = index === 0 ? '' : `locales.${locale}.`;
    // A derived text part contains structure marks even if it has no text.
    const isBlank = (part: string): boolean => layOutText(part).trim() === '';
    return [
      ...(isBlank(subject)
        ? [{ path: `${pathPrefix}subject`, code: 'required', message: 'The email has no subject.' }]
        : []),
      ...(isBlank(html) && isBlank(text)
        ? [{ path: `${pathPrefix}body`, code: 'required', message: 'The email is empty: give it a body, or a text.' }]
        : []),
    ];
  });
  if (faults.length > 0) refuseTemplate(faults);
}

/** Compiles a working copy and freezes it. @throws template_invalid by part and line; compiler_missing; compiler_busy */
export async function freezeWorkingCopy(
  ctx: PrepareContext,
  working: TemplateRow,
  { layout, theme }: Omit<ReadTemplate, 'row'>,
): Promise<FrozenVersion> {
  const { contents, contract } = await compileWorkingCopy(ctx, working, layout);
  refuseEmpty(working, contents);
  const [ownContent, ...otherContents] = contents;
  if (ownContent === undefined) throw new Error(`The template ${working.key} has no content.`);
  return {
    mode: working.mode,
    source: sourceOf(working),
    subject: ownContent.subject,
    preview_text: ownContent.previewText,
    html: ownContent.html,
    text_part: ownContent.text,
    contract: JSON.stringify(contract),
    layout: working.layout,
    layout_version: layout?.version ?? null,
    locale: working.locale,
    locales: freezeLocales(otherContents),
    theme: theme === undefined ? null : JSON.stringify(theme),
    theme_id: theme === undefined ? null : working.theme_id,
  };
}

// The rules for languages and layouts, for creating and editing templates: valid combinations, and the values to store.
import type { ErrorDetail, OperationContext, ReadContext } from '../../../core/index.ts';
import type { TemplateRow } from '../tables.ts';
import { lockLayout } from './layouts.ts';
import { changeLocales, type LocaleChanges, parseLocales } from './locales.ts';

type Columns = Pick<TemplateRow, 'kind' | 'layout' | 'locale' | 'locales' | 'subject' | 'preview_text'>;

/** The faults of fields that a layout cannot have. */
function layoutFaults({ layout, locale, subject, preview_text: previewText }: Columns, locales: LocaleChanges) {
  const details: ErrorDetail[] = [];
  const refuse = (path: string, message: string) => details.push({ path, code: 'not_for_layouts', message });
  if (layout !== null) refuse('layout', 'A layout cannot have a layout.');
  if (locale !== null) refuse('locale', 'A layout cannot have a language: the templates that use it have their own.');
  if (Object.keys(locales).length > 0)
    refuse('locales', 'A layout cannot have locales: set them in the templates that use it.');
  if (subject !== '') refuse('subject', 'A layout cannot have a subject: set it in the templates that use it.');
  if (previewText !== '')
    refuse('previewText', 'A layout cannot have a preview text: set it in the templates that use it.');
  return details;
}

/**
 * Returns the column `locales` after a change. Locks a newly named layout until the transaction ends.
 * @throws validation_failed for an invalid combination; layout_not_found if the newly named `layout` does not exist
 */
export async function checkColumns(
  ctx: ReadContext & Pick<OperationContext, 'refuse'>,
  row: Columns,
  changes: LocaleChanges,
  before: Pick<TemplateRow, 'layout' | 'locales'> = { layout: null, locales: null },
): Promise<string | null> {
  if (row.kind === 'layout') {
    ctx.refuse(layoutFaults(row, changes));
    return null;
  }
  const { locales, details } = changeLocales(parseLocales(before), changes, row.locale);
  ctx.refuse(details);
  if (row.layout !== null && row.layout !== before.layout) await lockLayout(ctx.trx, row.layout);
  return locales;
}

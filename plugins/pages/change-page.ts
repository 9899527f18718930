// Changes the working copy of a page. Called by PATCH /v1/pages/{idOrSlug}.
import type { OperationContext } from '../../core/index.ts';
import { lockWorkspace } from '../../core/unstable.ts';
import { summaryOf, workingHash } from './content.ts';
import { pageKindId } from './content-kind-id.ts';
import { errors } from './errors.ts';
import type { PageText } from './rendering/texts.ts';
import { mergeSections } from './sections/merge.ts';
import type { SectionInput } from './sections/schema.ts';
import { checkNotBuilding } from './states.ts';
import { checkSlug } from './store.ts';
import { type PageMetadata, type PageRow, pageRows } from './tables.ts';

/** The changes; undefined fields stay unchanged. */
export interface PageChanges {
  readonly title?: string | undefined;
  readonly slug?: string | undefined;
  readonly metadata?: { readonly [K in keyof PageMetadata]?: PageMetadata[K] | undefined } | undefined;
  readonly ctaLabel?: string | null | undefined;
  readonly sections?: readonly SectionInput[] | undefined;
}

const withoutUndefined = <T extends object>(values: T): Partial<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;

/**
 * Applies the changes to the working copy. The caller must have locked the row. `rendered`: the texts of the changed sections.
 * @throws state_conflict, retired_editor, slug_taken, validation_failed
 */
export async function changePage(
  ctx: OperationContext,
  row: PageRow,
  changes: PageChanges,
  rendered: readonly PageText[],
): Promise<PageRow> {
  const { title = row.title, slug = row.slug, metadata = {}, ctaLabel = row.cta_label } = changes;
  if (changes.sections !== undefined && row.editor === 'retired') throw errors.retired_editor({ id: row.id });
  checkNotBuilding(row);
  if (slug !== row.slug) {
    await lockWorkspace(ctx.trx);
    await checkSlug(ctx.trx, slug, { pageId: row.id, optional: false });
  }
  const knownTexts = [...row.texts, ...rendered];
  const { sections, texts } =
    changes.sections === undefined ? row : await mergeSections(ctx, row.sections, changes.sections, knownTexts);
  const changedPage: PageRow = {
    ...row,
    ...{ title, slug, cta_label: ctaLabel, sections, texts, outline: summaryOf(sections) },
    metadata: { ...row.metadata, ...withoutUndefined(metadata) } as PageMetadata,
  };
  const content_hash = workingHash(changedPage);
  if (content_hash === row.content_hash) return row;
  const { cta_label, outline } = changedPage;
  const columns = { title, slug, cta_label, metadata: changedPage.metadata, sections, texts, outline, content_hash };
  const changed = await pageRows.change(ctx.trx, row, { ...columns, updated_at: ctx.now });
  await ctx.contentChanged(pageKindId, [row.id]);
  return changed;
}

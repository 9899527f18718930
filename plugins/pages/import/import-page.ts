// Makes a page from imported HTML, or replaces the HTML of an imported page. Called by the command.
import { coreErrors, type TransactionContext } from '../../../core/index.ts';
import { lockWorkspace } from '../../../core/unstable.ts';
import { workingHash } from '../content.ts';
import { pageKindId } from '../content-kind-id.ts';
import { brandFor, checkRoom, noMetadata } from '../create-page.ts';
import { errors } from '../errors.ts';
import { slugFrom } from '../slug.ts';
import { checkSlug, findPage, freeSlug } from '../store.ts';
import { type PageRow, pageRows } from '../tables.ts';

/** The imported content. */
export interface PageImport {
  readonly title: string;
  readonly description: string | undefined;
  readonly language: string | undefined;
  readonly html: string;
  readonly slug: string | undefined;
}

/** Makes a page. `id` must be the id of a new page. @throws brand_required, slug_taken, limit_reached */
export async function importPage(
  ctx: TransactionContext,
  id: string,
  { title, description, language, html, slug: given }: PageImport,
): Promise<PageRow> {
  const { trx, now, sandbox } = ctx;
  const { id: brand_id } = await brandFor(ctx, undefined);
  await lockWorkspace(trx);
  await checkRoom(ctx);
  if (given !== undefined) await checkSlug(trx, given, { optional: true });
  const slug = given ?? (await freeSlug(trx, slugFrom(title, 'page')));
  const row: PageRow = {
    ...{ id, sandbox, slug, title, brand_id, html, brief: '', editor: 'retired' },
    ...{ status: 'draft', compose_status: 'ready', build: null, error: null },
    metadata: { ...noMetadata, description: description ?? null, language: language ?? null },
    ...{ cta_label: null, sections: [], texts: [], outline: [] },
    ...{ content_hash: '', version: 0, published_hash: null, published_slug: null, published_at: null },
    ...{ list_ids: null, og_asset_id: null, objective: null, vibe: null, length: null, creation_id: null },
    progress: { phase: 'done', done: 0, total: 0 },
    ...{ created_at: now, updated_at: now },
  };
  return pageRows.insert(trx, { ...row, content_hash: workingHash(row) });
}

/**
 * Replaces the working copy of an imported page by this HTML.
 * @throws page_not_found; state_conflict for a page with sections
 */
export async function replaceImported(
  ctx: TransactionContext,
  { title, description, language, html, slug }: PageImport,
): Promise<PageRow> {
  const { trx, now } = ctx;
  const { id } = await findPage(trx, slug ?? slugFrom(title, 'page'));
  const page = await pageRows.lock(trx, id);
  if (page === undefined) throw errors.page_not_found({ id });
  if (page.editor !== 'retired')
    throw coreErrors.state_conflict({
      reason: `The page ${page.slug} was not imported: it has sections. Change it with PATCH /v1/pages/${page.id}.`,
    });
  const metadata = {
    ...page.metadata,
    ...{ description: description ?? null, language: language ?? page.metadata.language },
  };
  const changed = { ...page, title, html, metadata };
  const columns = { title, html, metadata, content_hash: workingHash(changed), updated_at: now };
  const row = await pageRows.change(trx, page, columns);
  await ctx.contentChanged(pageKindId, [page.id]);
  return row;
}

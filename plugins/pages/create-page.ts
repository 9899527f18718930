// Makes a page whose content a build writes. Called by POST /v1/pages, and by other plugins through the service.
import { coreErrors, type ErrorDetail, type TransactionContext } from '../../core/index.ts';
import { lockWorkspace } from '../../core/unstable.ts';
import { titleOf } from './build/embedded/compose.ts';
import { startBuild } from './build/start-build.ts';
import { workingHash } from './content.ts';
import { errors } from './errors.ts';
import { checkWantedForm } from './forms/check-forms.ts';
import { maxPages } from './schema.ts';
import type { WantedForm } from './sections/form.ts';
import { href } from './sections/href.ts';
import { slugFrom } from './slug.ts';
import { checkSlug, freeSlug } from './store.ts';
import { type PageMetadata, type PageRow, pageRows } from './tables.ts';

/** The input for a new page. */
export interface NewPage {
  readonly brief?: string | undefined;
  readonly headlineAngle?: string | undefined;
  readonly objective?: string | undefined;
  readonly ctaLabel?: string | undefined;
  readonly slug?: string | undefined;
  readonly vibe?: string | undefined;
  readonly length?: string | undefined;
  readonly brandId?: string | undefined;
  /**
   * The link of buttons that do not lead to a part of the page. A link that pages do not allow is ignored. (Default:
   * the page's form)
   */
  readonly buttonUrl?: string | undefined;
  /** What the form of the page does and says. (Default: the built-in form) */
  readonly form?: WantedForm | undefined;
  readonly creationId?: string | undefined;
}

export const noMetadata: PageMetadata = {
  ...{ title: null, description: null, ogImageUrl: null },
  ...{ noindex: false, language: null },
};

/** Whether a text is the word `blank`: other services use it for an empty page. */
const isBlank = (text: string): boolean => /^blank[.!]?$/i.test(text);

/** Returns the brief or, if it is empty, the headline. @throws validation_failed */
export function briefOf({ brief, headlineAngle }: Pick<NewPage, 'brief' | 'headlineAngle'>): string {
  const refuse = (path: string, code: string, message: string): never => {
    const details: ErrorDetail[] = [{ path, code, message }];
    throw coreErrors.validation_failed({ summary: `${path}: ${message}` }, { details });
  };
  const trimmed = { brief: brief?.trim() ?? '', headlineAngle: headlineAngle?.trim() ?? '' };
  for (const [path, text] of Object.entries(trimmed))
    if (isBlank(text)) refuse(path, 'not_allowed', 'A page cannot be blank. Describe its subject.');
  return trimmed.brief || trimmed.headlineAngle || refuse('brief', 'required', 'Describe the subject of the page.');
}

/** Returns the page's brand. @throws brand_required, brand_not_found */
export async function brandFor({ services, trx }: TransactionContext, brandId: string | undefined) {
  const brand = await services.brands.style(trx, brandId);
  if (brand !== undefined) return brand;
  throw brandId === undefined ? errors.brand_required() : services.brands.notFound(brandId);
}

/** Checks that the side may have another page. The caller must have locked the workspace. @throws limit_reached */
export async function checkRoom({ trx }: TransactionContext): Promise<void> {
  const count = await pageRows.count(trx, {}, maxPages);
  if (count === maxPages) throw coreErrors.limit_reached({ limit: maxPages, resources: 'pages' });
}

/** @throws validation_failed, brand_required, brand_not_found, slug_taken, limit_reached, credits_exhausted */
export async function createPage(ctx: TransactionContext, input: NewPage): Promise<PageRow> {
  const { trx, now, sandbox, newId } = ctx;
  const brief = briefOf(input);
  const { id: brand_id, name: brandName } = await brandFor(ctx, input.brandId);
  // The lock prevents two concurrent calls from exceeding the limit or taking the same slug.
  await lockWorkspace(trx);
  await checkRoom(ctx);
  const headline = input.headlineAngle?.trim() || null;
  const title = titleOf(headline, brief, brandName);
  if (input.slug !== undefined) await checkSlug(trx, input.slug, { optional: true });
  const slug = input.slug ?? (await freeSlug(trx, slugFrom(title, 'page')));
  const id = newId('pg');
  const { ctaLabel, objective, vibe, length, creationId } = input;
  const { data: buttonUrl } = href.optional().safeParse(input.buttonUrl);
  if (input.form !== undefined) await checkWantedForm(ctx, input.form);
  const order = { pageId: id, brief, headline, buttonUrl, form: input.form, length: length ?? null, before: null };
  const started = await startBuild(ctx, order);
  const row: PageRow = {
    ...{ id, sandbox, slug, title, brief, brand_id, ...started },
    ...{ status: 'draft', compose_status: 'queued', editor: 'current' },
    ...{ cta_label: ctaLabel ?? null, metadata: noMetadata, sections: [], html: null, texts: [], outline: [] },
    ...{ content_hash: '', version: 0, published_hash: null, published_slug: null, published_at: null },
    ...{ list_ids: null, og_asset_id: null },
    ...{ objective: objective ?? null, vibe: vibe ?? null, length: length ?? null, creation_id: creationId ?? null },
    ...{ created_at: now, updated_at: now },
  };
  return pageRows.insert(trx, { ...row, content_hash: workingHash(row) });
}

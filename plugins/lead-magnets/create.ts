// Makes a lead magnet. Called by POST /v1/lead-magnets, and by other plugins through the service.
import { coreErrors, type TransactionContext } from '../../core/index.ts';
import { lockWorkspace } from '../../core/unstable.ts';
import { outlineOf, textHash } from './content.ts';
import { type Chapter, type LeadMagnetFormat, maxLeadMagnets } from './schema.ts';
import { type LeadMagnetRow, leadMagnetRows } from './tables.ts';

/** The input for a new lead magnet. */
export interface NewLeadMagnet {
  readonly title: string;
  /** (Default: guide) */
  readonly format?: LeadMagnetFormat | undefined;
  readonly brief?: string | undefined;
  /** (Default: 1) */
  readonly coverPages?: number | undefined;
  readonly chapters?: readonly Chapter[] | undefined;
  readonly brandId?: string | undefined;
  readonly creationId?: string | undefined;
}

/** The brief without surrounding space; null if it is empty. */
export const briefOf = (input: string | null | undefined): string | null => input?.trim() || null;

/** @throws brand_not_found */
export async function checkBrand({ services, trx }: TransactionContext, brandId: string): Promise<void> {
  if ((await services.brands.style(trx, brandId)) === undefined) throw services.brands.notFound(brandId);
}

/** @throws brand_not_found, limit_reached */
export async function createLeadMagnet(ctx: TransactionContext, input: NewLeadMagnet): Promise<LeadMagnetRow> {
  const { trx, now, sandbox, newId } = ctx;
  const { title, format = 'guide', coverPages = 1, chapters = [], brandId, creationId } = input;
  if (brandId !== undefined) await checkBrand(ctx, brandId);
  // The lock prevents two concurrent calls from exceeding the limit.
  await lockWorkspace(trx);
  if ((await leadMagnetRows.count(trx, {}, maxLeadMagnets)) === maxLeadMagnets)
    throw coreErrors.limit_reached({ limit: maxLeadMagnets, resources: 'lead magnets' });
  const content = { title, format, cover_pages: coverPages, chapters };
  return leadMagnetRows.insert(trx, {
    ...{ id: newId('lm'), sandbox, ...content, brief: briefOf(input.brief) },
    ...{ status: chapters.length > 0 ? 'ready' : 'draft', outline: outlineOf(chapters), text_hash: textHash(content) },
    ...{ brand_id: brandId ?? null, last_export: null, progress: null, build: null, error: null },
    ...{ creation_id: creationId ?? null, created_at: now, updated_at: now },
  });
}

// An export: the PDF of the stored content. It is painted and written to the store outside any transaction, and becomes
// an asset inside one.
import { coreErrors, type OperationContext, type PrepareContext, type ReadContext } from '../../core/index.ts';
import type { AssetRow, AssetUser, StoredAsset } from '../assets/index.ts';
import { refusePlaceholders } from '../kit/placeholders.ts';
import { bookStyleFor, hashOf } from './content.ts';
import { errors } from './errors.ts';
import type { BookLogo } from './pdf/book.ts';
import { exportPrice } from './schema.ts';
import { checkReady } from './states.ts';
import { type LeadMagnetHead, type LeadMagnetRow, leadMagnetRows } from './tables.ts';

/**
 * Registers the lead magnet as a user of its latest export, so that this file is not deleted while gift links download
 * it.
 */
export const exportUser = (id: string): AssetUser => ({ kind: 'lead_magnet', id, isPublic: false });

/** The parts that can have placeholders. */
const placeholderContent = ({ title, chapters }: LeadMagnetRow) => ({ title, chapters });

/** The file of the last export, if it still shows the current content. */
async function currentExport(
  { services, trx }: ReadContext,
  { last_export: last }: Pick<LeadMagnetHead, 'last_export'>,
  hash: string,
): Promise<AssetRow | undefined> {
  if (last?.contentHash !== hash) return undefined;
  const asset = await services.assets.find(trx, last.assetId);
  return asset?.status === 'ready' ? asset : undefined;
}

const logoTypes = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/svg+xml']);

/** Loads the brand's logo if it is a picture of the asset library. Logos elsewhere are never fetched. */
async function logoOf(ctx: PrepareContext, assetId: string | undefined): Promise<BookLogo | undefined> {
  if (assetId === undefined || ctx.dryRun) return undefined;
  const row = await ctx.read(({ trx }) => ctx.services.assets.find(trx, assetId));
  if (row?.status !== 'ready' || !logoTypes.has(row.content_type ?? '')) return undefined;
  const bytes = await ctx.services.assets.readForCaller(ctx, assetId);
  return { bytes, contentType: row.content_type ?? '' };
}

/** The result of `prepare`. */
export interface ExportResult {
  /** The hash of the painted content. */
  readonly hash: string;
  /** Undefined if the last export shows the same content, and in dry runs. */
  readonly stored: StoredAsset | undefined;
}

/**
 * Paints and stores the PDF, if the last export does not show the current content.
 * @throws lead_magnet_not_found, state_conflict, placeholders_left, lead_magnet_characters, lead_magnet_renderer_missing
 */
export async function prepareExport(ctx: PrepareContext, id: string): Promise<ExportResult> {
  const found = await ctx.read(async (tx) => {
    const row = await leadMagnetRows.find(tx.trx, id);
    if (row === undefined) throw errors.lead_magnet_not_found({ id });
    checkReady(row);
    refusePlaceholders('The lead magnet', placeholderContent(row));
    const style = await bookStyleFor(tx, row.brand_id);
    const hash = hashOf(row, style);
    return { row, look: style, hash, current: await currentExport(tx, row, hash) };
  });
  const { row, look, hash, current } = found;
  if (current !== undefined) return { hash, stored: undefined };
  const logo = await logoOf(ctx, look?.logos.light?.assetId);
  const { title, format, cover_pages: covers, chapters } = row;
  const bytes = await ctx.services.leadMagnets.painter.paint(
    { title, format, covers, chapters, style: look, logo },
    ctx.signal,
  );
  if (ctx.dryRun) return { hash, stored: undefined };
  const stored = await ctx.services.assets.store(ctx, {
    ...{ name: title, bytes, contentType: 'application/pdf', source: 'export' },
    tags: ['lead-magnet', format],
  });
  return { hash, stored };
}

/**
 * Makes the export an asset, charged once for each content.
 * @throws lead_magnet_not_found, state_conflict, placeholders_left, credits_exhausted
 */
export async function finishExport(ctx: OperationContext, id: string, { hash, stored }: ExportResult) {
  const row = await leadMagnetRows.lock(ctx.trx, id);
  if (row === undefined) throw errors.lead_magnet_not_found({ id });
  checkReady(row);
  refusePlaceholders('The lead magnet', placeholderContent(row));
  const now = hashOf(row, await bookStyleFor(ctx, row.brand_id));
  const current = await currentExport(ctx, row, now);
  const jobResult = (asset: AssetRow | undefined, creditsCharged: number) => ({
    assetId: asset?.id ?? null,
    url: asset === undefined ? null : ctx.services.assets.present(ctx.workspace.id, asset).url,
    contentHash: now,
    creditsCharged,
  });
  if (current !== undefined) return jobResult(current, 0);
  if (now !== hash || (stored === undefined && !ctx.dryRun))
    throw coreErrors.state_conflict({
      reason: `The lead magnet ${id} was changed while it was being exported. Export it again.`,
    });
  // If the file was lost, a new export is free, because the workspace has already paid for this content.
  const price = row.last_export?.contentHash === now ? 0 : exportPrice;
  if (price > 0) await ctx.charge(price, 'export lead magnet');
  const charged = ctx.sandbox ? 0 : price;
  if (stored === undefined) return jobResult(undefined, charged);
  const asset = await ctx.services.assets.add(ctx, stored);
  await ctx.services.assets.use(ctx, exportUser(id), [asset.id]);
  const last_export: LeadMagnetRow['last_export'] = { assetId: asset.id, contentHash: now, at: ctx.now };
  await leadMagnetRows.change(ctx.trx, row, { last_export, updated_at: ctx.now });
  return jobResult(asset, charged);
}

// Stores files that adapters convert from attachments, for networks that fetch files by URL. Each file is stored once per target, however
// many attempts there are, because its hash is recorded with the target's steps. The files are removed when the target ends.
import { createHash } from 'node:crypto';
import type { JobContext, TransactionContext } from '../../../core/index.ts';
import type { ConvertedFile } from '../port/index.ts';
import { stepRows } from '../tables.ts';

/** The tag of the files in the asset store. */
const assetTag = 'social';
const stepPrefix = 'made ';

/** The maximum number of steps of a target that are read. */
const maxSteps = 1_000;

/** Whether a row of `social_steps` records a converted file and not a step of the adapter. */
export const isConvertedFileStep = ({ name }: { readonly name: string }): boolean => name.startsWith(stepPrefix);

/** The hash of the file's bytes. */
export const convertedFileKey = ({ bytes }: ConvertedFile): string => createHash('sha256').update(bytes).digest('hex');

/** The asset of a file that an earlier attempt stored; undefined if there is none. */
async function findStored(ctx: JobContext, targetId: string, name: string) {
  return ctx.read(async ({ trx }) => {
    const id = (await stepRows.findBy(trx, { target_id: targetId, name }))?.result?.['assetId'];
    const asset = typeof id === 'string' ? await ctx.services.assets.find(trx, id) : undefined;
    return asset?.status === 'ready' ? asset : undefined;
  });
}

/** The asset of a file. The file is stored if no earlier attempt has stored it. */
export async function storeConvertedFile(ctx: JobContext, targetId: string, label: string, file: ConvertedFile) {
  const { assets } = ctx.services;
  const name = `${stepPrefix}${convertedFileKey(file)}`;
  const storedFile = await findStored(ctx, targetId, name);
  if (storedFile !== undefined) return storedFile;
  const { bytes, contentType } = file;
  const storedAsset = await assets.store(ctx, { name: label, bytes, contentType, source: 'render', tags: [assetTag] });
  return ctx.checkpoint(async (tx) => {
    const { trx, newId, now } = tx;
    const row = await assets.add(tx, storedAsset);
    const result = { assetId: row.id };
    const step = await stepRows.findBy(trx, { target_id: targetId, name }, 'update');
    if (step !== undefined) await stepRows.change(trx, step, { result, at: now });
    else await stepRows.insert(trx, { id: newId('sst'), target_id: targetId, name, note: {}, result, at: now });
    return row;
  });
}

/** Removes the converted files of a target. */
export async function removeConvertedFiles(ctx: TransactionContext, targetId: string): Promise<void> {
  const rows = await stepRows.page(ctx.trx, { where: { target_id: targetId }, limit: maxSteps });
  for (const { id, result } of rows.filter(isConvertedFileStep)) {
    const assetId = result?.['assetId'];
    if (typeof assetId === 'string') await ctx.services.assets.remove(ctx, assetId);
    await stepRows.remove(ctx.trx, id);
  }
}

// Files that adapters made from attachments, for networks that fetch by URL. Each file is stored once per target, however many attempts
// there are: the steps of the target contain its hash. The files are removed when the target ends.
import { createHash } from 'node:crypto';
import type { JobContext, TransactionContext } from '../../../core/index.ts';
import type { ConvertedFile } from '../port/index.ts';
import { stepRows } from '../tables.ts';

/** Tags the files among the assets. */
const tag = 'social';
const prefix = 'made ';

/** The maximum number of steps of a target that are read. */
const max = 1_000;

/** Whether a row of `social_steps` records a made file and not a step of the adapter. */
export const isConvertedFileStep = ({ name }: { readonly name: string }): boolean => name.startsWith(prefix);

/** A key of the file: two files with the same key are the same. */
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
  const name = `${prefix}${convertedFileKey(file)}`;
  const storedFile = await findStored(ctx, targetId, name);
  if (storedFile !== undefined) return storedFile;
  const { bytes, contentType } = file;
  const stored = await assets.store(ctx, { name: label, bytes, contentType, source: 'render', tags: [tag] });
  return ctx.checkpoint(async (tx) => {
    const { trx, newId, now } = tx;
    const row = await assets.add(tx, stored);
    const result = { assetId: row.id };
    const step = await stepRows.findBy(trx, { target_id: targetId, name }, 'update');
    if (step !== undefined) await stepRows.change(trx, step, { result, at: now });
    else await stepRows.insert(trx, { id: newId('sst'), target_id: targetId, name, note: {}, result, at: now });
    return row;
  });
}

/** Removes the files that were made for a target. */
export async function removeConvertedFiles(ctx: TransactionContext, targetId: string): Promise<void> {
  const rows = await stepRows.page(ctx.trx, { where: { target_id: targetId }, limit: max });
  for (const { id, result } of rows.filter(isConvertedFileStep)) {
    const assetId = result?.['assetId'];
    if (typeof assetId === 'string') await ctx.services.assets.remove(ctx, assetId);
    await stepRows.remove(ctx.trx, id);
  }
}

// Files that adapters made from attachments, for networks that fetch by URL. Each file is stored once per target, however many tries
// there are: the steps of the target contain its hash. The files are removed when the target ends.
import { createHash } from 'node:crypto';
import type { JobContext, TransactionContext } from '../../../core/index.ts';
import type { MadeFile } from '../port/index.ts';
import { stepRows } from '../tables.ts';

/** Tags the files among the assets. */
const tag = 'social';
const prefix = 'made ';

/** The most steps of a target that are read. */
const max = 1_000;

/** Whether a row of `social_steps` records a made file and not a step of the adapter. */
export const namesMadeFile = ({ name }: { readonly name: string }): boolean => name.startsWith(prefix);

/** A key of the file: two files with the same key are the same. */
export const madeFileKey = ({ bytes }: MadeFile): string => createHash('sha256').update(bytes).digest('hex');

/** The asset of a file that an earlier try stored; undefined if there is none. */
async function findStored(ctx: JobContext, targetId: string, name: string) {
  return ctx.read(async ({ trx }) => {
    const id = (await stepRows.findBy(trx, { target_id: targetId, name }))?.result?.['assetId'];
    const asset = typeof id === 'string' ? await ctx.services.assets.find(trx, id) : undefined;
    return asset?.status === 'ready' ? asset : undefined;
  });
}

/** The asset of a file. The file is stored if no earlier try has stored it. */
export async function storeMadeFile(ctx: JobContext, targetId: string, label: string, file: MadeFile) {
  const { assets } = ctx.services;
  const name = `${prefix}${madeFileKey(file)}`;
  const known = await findStored(ctx, targetId, name);
  if (known !== undefined) return known;
  const { bytes, contentType } = file;
  const stored = await assets.store(ctx, { name: label, bytes, contentType, source: 'render', tags: [tag] });
  return ctx.checkpoint(async (effects) => {
    const { trx, newId, now } = effects;
    const row = await assets.add(effects, stored);
    const result = { assetId: row.id };
    const step = await stepRows.findBy(trx, { target_id: targetId, name }, 'update');
    if (step !== undefined) await stepRows.change(trx, step, { result, at: now });
    else await stepRows.insert(trx, { id: newId('sst'), target_id: targetId, name, note: {}, result, at: now });
    return row;
  });
}

/** Removes the files that were made for a target. */
export async function removeMadeFiles(ctx: TransactionContext, targetId: string): Promise<void> {
  const rows = await stepRows.page(ctx.trx, { where: { target_id: targetId }, limit: max });
  for (const { id, result } of rows.filter(namesMadeFile)) {
    const assetId = result?.['assetId'];
    if (typeof assetId === 'string') await ctx.services.assets.remove(ctx, assetId);
    await stepRows.remove(ctx.trx, id);
  }
}

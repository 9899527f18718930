// Compares the store with the rows of one workspace, page by page. Bytes without a row are removed; rows without bytes fail.
import { defineJob, type JobContext, z } from '../../../core/index.ts';
import { assetKey, assetOfKey, isUpload, workspacePrefix } from '../keys.ts';
import { noStore } from '../no-assets.ts';
import type { AssetStore, StoredObject } from '../port/index.ts';
import { assetsBetween } from '../store.ts';
import { assetRows } from '../tables.ts';

const page = 500;
/**
 * The minimum age of bytes that are removed, in milliseconds: bytes are written before their row, and a signed URL is valid for
 * 15 minutes. With the schedule, unused bytes are removed within a day.
 */
const minAgeMs = 12 * 3_600_000;
/** The minimum time since a row's last change before missing bytes count, in milliseconds. */
const settledMs = 3_600_000;

interface StoreSweep {
  readonly ctx: JobContext;
  readonly store: AssetStore;
  readonly now: number;
}

/** Marks ready rows as failed if a second look-up in the store finds no bytes, either. */
async function failMissing({ ctx, store, now }: StoreSweep, ids: readonly string[]): Promise<void> {
  const { workspace, signal, log } = ctx;
  for (const id of ids) {
    if ((await store.head(assetKey(workspace.id, id), { signal })) !== undefined) continue;
    log.error({ asset: id, workspace: workspace.id }, 'an asset has no bytes in the store');
    await ctx.checkpoint(async ({ trx }) => {
      const row = await assetRows.lock(trx, id);
      if (row?.status !== 'ready') return;
      const error = 'The file no longer exists in the store.';
      await assetRows.change(trx, row, { status: 'failed', error, updated_at: now });
    });
  }
}

/** Compares one page of objects with the rows in its id range. Returns the last id of the range. */
async function compare(
  storeSweep: StoreSweep,
  objects: readonly StoredObject[],
  from: string,
  isLast: boolean,
): Promise<string> {
  const { ctx, store, now } = storeSweep;
  const { workspace, signal } = ctx;
  const stored = new Map(
    objects.flatMap((object) => {
      const id = assetOfKey(workspace.id, object.key);
      return id === undefined ? [] : [[id, object] as const];
    }),
  );
  const last = [...stored.keys()].at(-1);
  const to = isLast ? undefined : last;
  const knownIds = new Set<string>();
  const missing: string[] = [];
  for (let after = from; isLast || to !== undefined; ) {
    const rows = await ctx.read(({ trx }) => assetsBetween(trx, after, to, page));
    for (const { id, status, updatedAt } of rows) {
      // A failed asset has no bytes, so bytes that a job left are removed.
      if (status !== 'failed') knownIds.add(id);
      if (status === 'ready' && !stored.has(id) && updatedAt < now - settledMs) missing.push(id);
    }
    after = rows.at(-1)?.id ?? after;
    if (rows.length < page) break;
  }
  await failMissing(storeSweep, missing);
  for (const [id, { key, modifiedAt }] of stored)
    if (!knownIds.has(id) && modifiedAt < now - minAgeMs) await store.delete(key, { signal });
  for (const { key, modifiedAt } of objects)
    if (isUpload(workspace.id, key) && modifiedAt < now - minAgeMs) await store.delete(key, { signal });
  return last ?? from;
}

export const sweep = defineJob({
  kind: 'assets.sweep',
  payload: z.object({}),
  lane: 'bulk',
  timeoutMs: 1_800_000,
  async handler(ctx) {
    const { workspace, signal, ports } = ctx;
    const store = await ports.assets.of(workspace.id);
    if (store.id === noStore) return;
    const storeSweep: StoreSweep = { ctx, store, now: ports.now() };
    let [after, from, isDone]: [string | undefined, string, boolean] = [undefined, '', false];
    while (!isDone) {
      signal.throwIfAborted();
      const objects = await store.list(workspacePrefix(workspace.id), { after, limit: page, signal });
      // Asset keys sort before upload keys. The first page that has other keys, or is not full, contains the last assets.
      const hasOthers = objects.some(({ key }) => assetOfKey(workspace.id, key) === undefined);
      const isLast = objects.length < page || hasOthers;
      from = await compare(storeSweep, objects, from, isLast);
      isDone = objects.length < page;
      after = objects.at(-1)?.key;
    }
  },
});

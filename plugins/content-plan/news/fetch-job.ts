// Asks the source for the news of a workspace, and stores new pieces. A second run stores nothing twice. If two runs overlap, the later one
// skips pieces that the other stored, or fails and is retried.
import { defineJob, type WorkspaceHandle, z } from '../../../core/index.ts';
import { type NewPiece, newPiecesOf } from './pieces.ts';
import { nameRows, newsRows } from './tables.ts';

export const fetchNewsKind = 'content_plan.fetch_news';

/** The maximum number of hashes that one statement looks up. */
const hashesPerStatement = 250;

/** The pieces that the workspace has neither by id nor by URL. */
async function newPieces(handle: WorkspaceHandle, pieces: readonly NewPiece[]): Promise<readonly NewPiece[]> {
  const result: NewPiece[] = [];
  for (let from = 0; from < pieces.length; from += hashesPerStatement) {
    const batch = pieces.slice(from, from + hashesPerStatement);
    const knownHashes = new Set<string>();
    for (const column of ['key_hash', 'url_hash'] as const) {
      const hashes = batch.map((piece) => piece[column]);
      for (const row of await nameRows.findIn(handle, column, hashes)) knownHashes.add(row[column]);
    }
    result.push(...batch.filter(({ key_hash, url_hash }) => !knownHashes.has(key_hash) && !knownHashes.has(url_hash)));
  }
  return result;
}

export const fetchNewsJob = defineJob({
  kind: fetchNewsKind,
  payload: z.object({ since: z.number().describe('Older news is not kept.') }),
  lane: 'outbound',
  retryDelaysMs: [300_000],
  timeoutMs: 180_000,

  async handler(ctx, { since }) {
    const { outgoing, newsSource } = ctx.ports;
    const source = await newsSource.of(ctx.workspace.id);
    const now = ctx.ports.now();
    const news = await source.latest(ctx.workspace.id, { signal: ctx.signal, outgoing, log: ctx.log, now });
    const pieces = await ctx.read(({ trx }) => newPieces(trx, newPiecesOf(news, { now, since })));
    if (pieces.length === 0) return ctx.complete();
    await ctx.complete(async ({ trx, newId }) => {
      const rows = pieces.map((piece) => ({ id: newId('news'), ...piece }));
      newsRows.deferUnlessTaken(trx, rows, ['url_hash']);
    });
  },
});

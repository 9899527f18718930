// Votes on market news, one per key or member, and the score of a piece.
import type { Actor, TransactionContext, WorkspaceHandle } from '../../../core/index.ts';
import { type NewsRow, newsRows, type VoteRow, voteRows } from './tables.ts';

/** A vote on a piece; `none` removes an earlier vote. */
export type Vote = VoteRow['vote'] | 'none';

const points: Readonly<Record<Vote, number>> = { up: 1, none: 0, down: -1 };

/** The maximum number of characters of the column `voter`. */
const maxName = 200;

/** The voter: the key, the member for whom the program calls, or the program itself. */
export function voterOf({ keyId, member, client }: Actor): string {
  const name = keyId === undefined ? (member === undefined ? `program:${client ?? ''}` : `member:${member}`) : keyId;
  return name.slice(0, maxName);
}

/** The votes of the voter, by the id of the piece. Pieces without a vote are left out. */
export async function votesOf(
  handle: WorkspaceHandle,
  voter: string,
  newsIds: readonly string[],
): Promise<ReadonlyMap<string, VoteRow['vote']>> {
  const votes = await voteRows.findIn(handle, 'news_id', newsIds, undefined, { voter });
  return new Map(votes.map(({ news_id, vote }) => [news_id, vote]));
}

/** Replaces the voter's earlier vote, and updates the score. The caller must have locked the row of the piece. */
export async function castVote(
  { trx, now, newId }: TransactionContext,
  row: NewsRow,
  { voter, vote }: { readonly voter: string; readonly vote: Vote },
): Promise<NewsRow> {
  const before = await voteRows.findBy(trx, { news_id: row.id, voter });
  if (vote === (before?.vote ?? 'none')) return row;
  if (vote === 'none') await voteRows.remove(trx, before?.id ?? '');
  else if (before !== undefined) await voteRows.change(trx, before, { vote, updated_at: now });
  else
    await voteRows.insert(trx, {
      ...{ id: newId('nvt'), news_id: row.id, voter, vote },
      ...{ created_at: now, updated_at: now },
    });
  return newsRows.change(trx, row, { score: row.score + points[vote] - points[before?.vote ?? 'none'] });
}

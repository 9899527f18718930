// Votes on market news: one a key or member, and the score that they make.
import type { Actor, TransactionContext, WorkspaceHandle } from '../../../core/index.ts';
import { type NewsRow, newsRows, type VoteRow, voteRows } from './tables.ts';

/** What a voter says of a piece. */
export type Vote = VoteRow['vote'] | 'none';

const worth: Readonly<Record<Vote, number>> = { up: 1, none: 0, down: -1 };

/** As much as the column holds. */
const maxName = 200;

/** Who votes: the key, the member for whom the program calls, or the program itself. */
export function voterOf({ keyId, member, client }: Actor): string {
  const name = keyId === undefined ? (member === undefined ? `program:${client ?? ''}` : `member:${member}`) : keyId;
  return name.slice(0, maxName);
}

/** What the voter said of each piece, by its id; nothing of those that it did not vote on. */
export async function votesOf(
  handle: WorkspaceHandle,
  voter: string,
  newsIds: readonly string[],
): Promise<ReadonlyMap<string, VoteRow['vote']>> {
  const votes = await voteRows.findIn(handle, 'news_id', newsIds, undefined, { voter });
  return new Map(votes.map(({ news_id, vote }) => [news_id, vote]));
}

/** Puts the vote in place of what the voter said before. The row of the piece is locked. */
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
  return newsRows.change(trx, row, { score: row.score + worth[vote] - worth[before?.vote ?? 'none'] });
}

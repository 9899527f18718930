// A piece of market news as the API shows it.
import { type FixtureKit, isoTime, toIsoTime, z } from '../../../core/index.ts';
import { newPiecesOf } from './pieces.ts';
import { type NewsRow, newsRows } from './tables.ts';
import type { Vote } from './votes.ts';

export const vote = z.enum(['up', 'down', 'none']);

export const newsPiece = z
  .object({
    newsId: z.string().describe('Prefix news_.'),
    title: z.string(),
    url: z.string().describe('The web address of the piece.'),
    source: z.string().describe('The publisher: the title of the feed.'),
    excerpt: z.string().describe('Plain text, at most 500 characters; empty if the feed has none.'),
    publishedAt: isoTime.describe(
      'The date in the feed. Without one, the time at which the service first saw the piece.',
    ),
    score: z.int().describe('The votes up minus the votes down.'),
    myVote: vote.describe('The vote of this key, or of the member for whom the call is made.'),
  })
  .meta({ id: 'MarketNews' });

/** Shows a piece with the caller's vote. */
export const presentNews = (row: NewsRow, myVote: Vote = 'none'): z.input<typeof newsPiece> => ({
  newsId: row.id,
  title: row.title,
  url: row.url,
  source: row.source,
  excerpt: row.excerpt,
  publishedAt: toIsoTime(row.published_at),
  score: row.score,
  myVote,
});

/** Stores a piece for the generated tests, and returns its id. */
export const someNews = (kit: FixtureKit, workspaceId: string): Promise<string> =>
  kit.write(async ({ trx, now, newId }) => {
    const name = kit.unique('rye').toLowerCase();
    const piece = { id: name, title: 'Rye is scarce', url: `https://news.example/${name}` };
    const pieces = [{ ...piece, source: 'Grain today', excerpt: 'The harvest was poor.' }];
    const [row] = newPiecesOf(pieces, { now, since: 0 });
    if (row === undefined) throw new Error('The piece of the fixture is not valid.');
    return (await newsRows.insert(trx, { id: newId('news'), ...row })).id;
  }, workspaceId);

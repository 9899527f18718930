// Market news and the votes on them. Both sides of a workspace share them: the news are read from outside, and a vote is about them.
import {
  column,
  defineTable,
  type RowOf,
  type StoredRow,
  type TableDeclaration,
  type TenantRows,
  tenantRows,
  timestamps,
} from '../../../core/index.ts';

export const marketNews = defineTable('market_news', {
  id: column.id('news'),
  /** Hashes of what names the piece in its source, and of its address: no piece is stored twice. */
  key_hash: column.key(),
  url_hash: column.key(),
  title: column.text(300),
  url: column.text(2_048),
  source: column.text(200),
  excerpt: column.text(500),
  published_at: column.time(),
  /** Votes up less votes down. */
  score: column.integer(),
  created_at: column.time(),
});

export const marketNewsVotes = defineTable('market_news_votes', {
  id: column.id('nvt'),
  news_id: column.id('news'),
  /** Who votes: a key by its id, a member as `member:…`, the program itself as `program:…`. */
  voter: column.key(),
  vote: column.word<'up' | 'down'>(),
  ...timestamps,
});

export interface NewsRow extends RowOf<typeof marketNews> {}
export interface VoteRow extends RowOf<typeof marketNewsVotes> {}

declare module '../../../core/contract/open.ts' {
  interface Tables {
    market_news: StoredRow<typeof marketNews>;
    market_news_votes: StoredRow<typeof marketNewsVotes>;
  }
}

export const newsTables: Readonly<Record<string, TableDeclaration>> = {
  market_news: marketNews,
  market_news_votes: marketNewsVotes,
};

const names = ['id', 'key_hash', 'url_hash', 'published_at'] as const;

export const newsRows: TenantRows<NewsRow> = tenantRows(marketNews, { time: 'published_at' });
/** What tells a piece from others, without its texts. */
export const nameRows: TenantRows<Pick<NewsRow, (typeof names)[number]>> = tenantRows(marketNews, {
  time: 'published_at',
  columns: names,
});
export const voteRows: TenantRows<VoteRow> = tenantRows(marketNewsVotes);

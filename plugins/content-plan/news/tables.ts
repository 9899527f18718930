// The tables of market news and of the votes on them. The live and the sandbox side share them, because news comes from outside the workspace.
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
  /** Hashes of the piece's id in its source, and of its URL. Both are unique in the workspace, so no piece is stored twice. */
  key_hash: column.key(),
  url_hash: column.key(),
  title: column.text(300),
  url: column.text(2_048),
  source: column.text(200),
  excerpt: column.text(500),
  published_at: column.time(),
  /** The votes up minus the votes down. */
  score: column.integer(),
  created_at: column.time(),
});

export const marketNewsVotes = defineTable('market_news_votes', {
  id: column.id('nvt'),
  news_id: column.id('news'),
  /** The voter: a key's id, `member:…` for a member, or `program:…` for the program itself. */
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
/** The rows of pieces without their texts. */
export const nameRows: TenantRows<Pick<NewsRow, (typeof names)[number]>> = tenantRows(marketNews, {
  time: 'published_at',
  columns: names,
});
export const voteRows: TenantRows<VoteRow> = tenantRows(marketNewsVotes);

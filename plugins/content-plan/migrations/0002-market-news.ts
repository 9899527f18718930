import { defineMigration } from '../../../core/index.ts';

export const migration0002 = defineMigration({
  id: '0002-market-news',
  changes: [
    {
      create: 'market_news',
      columns: {
        id: 'id',
        workspace_id: 'id',
        key_hash: 'key',
        url_hash: 'key',
        title: 'text',
        url: 'text',
        source: 'text',
        excerpt: 'text',
        published_at: 'time',
        score: 'integer',
        created_at: 'time',
      },
      primaryKey: ['id'],
    },
    { index: 'market_news_list', on: 'market_news', columns: ['workspace_id', 'published_at', 'id'] },
    { index: 'market_news_best', on: 'market_news', columns: ['workspace_id', 'score', 'published_at', 'id'] },
    { index: 'market_news_url', on: 'market_news', columns: ['workspace_id', 'url_hash'], unique: true },
    { index: 'market_news_key', on: 'market_news', columns: ['workspace_id', 'key_hash'], unique: true },
    {
      create: 'market_news_votes',
      columns: {
        id: 'id',
        workspace_id: 'id',
        news_id: 'id',
        voter: 'key',
        vote: 'id',
        created_at: 'time',
        updated_at: 'time',
      },
      primaryKey: ['id'],
    },
    {
      index: 'market_news_votes_voter',
      on: 'market_news_votes',
      columns: ['workspace_id', 'news_id', 'voter'],
      unique: true,
    },
  ],
});

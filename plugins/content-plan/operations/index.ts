import { listMarketNews } from './list-market-news.ts';
import { voteMarketNews } from './vote-market-news.ts';

export const operations = [listMarketNews, voteMarketNews] as const;

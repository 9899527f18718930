// The content plan: planned content by date, plans of a week, and the market news that plans use.
import './events.ts';

export { contentPlanPlugin } from './plugin.ts';
export type { NewsOptions, NewsPiece, NewsSource } from './port/index.ts';

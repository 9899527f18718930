// The content plan: what is planned, by date, and the market news that plans take up.
import './events.ts';

export { contentPlanPlugin } from './plugin.ts';
export type { NewsOptions, NewsPiece, NewsSource } from './port/index.ts';

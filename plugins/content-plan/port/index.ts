// postrider/plugins/content-plan/port: the ports of the content plan. Types only.
export type { NewsOptions, NewsPiece, NewsSource } from './news-source.ts';

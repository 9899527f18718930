// postrider/plugins/content-plan/port: what a program gives the content plan from outside. Types only.
export type { NewsOptions, NewsPiece, NewsSource } from './news-source.ts';

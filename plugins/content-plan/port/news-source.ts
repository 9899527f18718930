// The port of market news: the source of the news of a workspace. A job calls it once an hour, outside any transaction. The
// embedded source has no news.
import { definePort, type Logger, type Outgoing, type PortAdapter } from '../../../core/index.ts';

/** One piece of news. The service puts each text on one line and shortens it. A piece without a title or a web URL is left out. */
export interface NewsPiece {
  /** A permanent id, unique in the source. It keeps a piece from being stored twice, even if its URL changes. */
  readonly id: string;
  /** Plain text. */
  readonly title: string;
  /** The URL of the piece, http or https. */
  readonly url: string;
  /** The publisher, such as the title of the feed. Plain text. */
  readonly source: string;
  /** The beginning or a summary of the piece. Plain text without markup, like the other texts; empty if there is none. */
  readonly excerpt: string;
  /** In milliseconds since the epoch. (Default: the time at which the service first sees the piece) */
  readonly publishedAt?: number | undefined;
}

/** Options of every call. */
export interface NewsOptions {
  /** Aborts the call. */
  readonly signal: AbortSignal;
  /** Makes requests with a time limit, to public addresses only. */
  readonly outgoing: Outgoing;
  /** Logs failures that do not end the call: once when the failure begins, once when it is over. */
  readonly log: Logger;
  /** In milliseconds since the epoch. */
  readonly now: number;
}

/** Returns the news of a workspace. Constructing a source has no effects: no file, no network, no timer. */
export interface NewsSource extends PortAdapter {
  /**
   * The latest news, in any order. They may include pieces that an earlier call returned. At most the 1,000 newest are used. If one of
   * several feeds fails, the source logs it and returns the news of the others. If the call throws, it is retried once, after 5 minutes.
   */
  latest(workspaceId: string, options: NewsOptions): Promise<readonly NewsPiece[]>;
}

/** The id of the embedded source. No job is enqueued for it. */
export const noNews = 'none';

export const newsSource = definePort<NewsSource>({
  description: 'Provides the market news of a workspace.',
  methods: ['latest'],
  suite: 'newsSourceSuite of postrider/plugins/content-plan/testing',
  default: () => ({ id: noNews, latest: async () => [] }),
});

declare module '../../../core/contract/open.ts' {
  interface Ports {
    newsSource: { plugin: 'content-plan'; adapter: NewsSource };
  }
}

// The port of market news: where the news of a workspace come from. Called by a job once an hour, outside any transaction. The
// embedded source has none.
import { definePort, type Logger, type Outgoing, type PortAdapter } from '../../../core/index.ts';

/** One piece of news. The service makes one line of each text, shortens it, and leaves a piece without a title or a web address out. */
export interface NewsPiece {
  /** Names the piece for good, among all that the source tells: no piece is stored twice, also under another address. */
  readonly id: string;
  /** Plain text. */
  readonly title: string;
  /** Where the piece is read: http or https. */
  readonly url: string;
  /** Who published it, such as the title of the feed. Plain text. */
  readonly source: string;
  /** How it begins, or what it is about. Plain text without markup, as the other texts; empty where there is none. */
  readonly excerpt: string;
  /** In milliseconds since the epoch. (Default: the time at which the service sees it first) */
  readonly publishedAt?: number | undefined;
}

/** What every call takes. */
export interface NewsOptions {
  /** Ends the call. */
  readonly signal: AbortSignal;
  /** Requests with a time limit, to public addresses only. */
  readonly outgoing: Outgoing;
  /** For what fails without ending the call: once when it begins to fail, once when it works again. */
  readonly log: Logger;
  /** In milliseconds since the epoch. */
  readonly now: number;
}

/** Tells the news of a workspace. Constructing one does nothing: no file, no network, no timer. */
export interface NewsSource extends PortAdapter {
  /**
   * The latest news, in any order; pieces that it told before may be among them. At most the 1,000 newest are used. A place that
   * fails is logged, and does not keep the others from being told. A throw is tried again once, five minutes later.
   */
  latest(workspaceId: string, options: NewsOptions): Promise<readonly NewsPiece[]>;
}

/** The id of the embedded source: no job is queued for it. */
export const noNews = 'none';

export const newsSource = definePort<NewsSource>({
  description: 'Tells the market news of a workspace.',
  methods: ['latest'],
  suite: 'newsSourceSuite of postrider/plugins/content-plan/testing',
  default: () => ({ id: noNews, latest: async () => [] }),
});

declare module '../../../core/contract/open.ts' {
  interface Ports {
    newsSource: { plugin: 'content-plan'; adapter: NewsSource };
  }
}

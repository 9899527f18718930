// Market news from feeds that the program chooses: RSS, Atom and JSON Feed. Nothing is fetched before the first call.

import { checkOptions } from '../../core/contract/errors/check-options.ts';
import { parseUrl } from '../../core/contract/values/parse-url.ts';
import type { NewsOptions, NewsPiece, NewsSource } from '../../plugins/content-plan/port/index.ts';
import { createFeedReader } from './rss-reader.ts';

/** Options of `rssNews`. */
export interface RssNewsOptions {
  /** The https URLs of the feeds, at most 50; or a function that returns the URLs for a workspace. */
  readonly feeds: readonly string[] | ((workspaceId: string) => readonly string[] | Promise<readonly string[]>);
  /** The time limit of one request, in milliseconds. (Default: 10,000) */
  readonly timeoutMs?: number;
}

const maxFeeds = 50;
/** The number of a workspace's feeds that are fetched concurrently. */
const maxConcurrent = 8;

/**
 * Whether the URL is on this machine, for development and tests. The service itself decides whether a request may reach
 * it.
 */
const isLocal = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && (hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname));

/** The URLs without duplicates. @throws TypeError for an invalid list of URLs, RangeError for too many */
function checkedFeeds(value: unknown): readonly string[] {
  if (!Array.isArray(value))
    throw new TypeError('rssNews: `feeds` must be a list of addresses, or a function that returns one.');
  for (const [index, feed] of value.entries()) {
    const url = typeof feed === 'string' ? parseUrl(feed) : undefined;
    const isFeed = url !== undefined && url.username === '' && (url.protocol === 'https:' || isLocal(url));
    if (!isFeed) throw new TypeError(`rssNews: feeds[${index}] is not an https address.`);
  }
  const feeds = [...new Set<string>(value)];
  if (feeds.length > maxFeeds)
    throw new RangeError(`rssNews: \`feeds\` has ${feeds.length} addresses; ${maxFeeds} are the most.`);
  return feeds;
}

/** Rejects when the signal is aborted. The feeds are still fetched completely, for other callers that wait for them. */
async function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    if (stop !== undefined) signal.removeEventListener('abort', stop);
  }
}

/**
 * News from feeds: `createService({ …, newsSource: rssNews({ feeds: ['https://news.example/feed.xml'] }) })`.
 * @throws TypeError or RangeError for an invalid list
 */
export function rssNews(options: RssNewsOptions): NewsSource {
  checkOptions<RssNewsOptions>('rssNews', options, { feeds: 'required', timeoutMs: 'optional' });
  const { feeds, timeoutMs = 10_000 } = options;
  if (!(Number.isInteger(timeoutMs) && timeoutMs > 0))
    throw new TypeError('rssNews: `timeoutMs` must be a whole number above 0.');
  const fixedFeeds = typeof feeds === 'function' ? undefined : checkedFeeds(feeds);
  const reader = createFeedReader({ timeoutMs });
  let isClosed = false;

  async function readAll(urls: readonly string[], call: NewsOptions): Promise<readonly NewsPiece[]> {
    const remainingUrls = urls.values();
    const pieces: NewsPiece[] = [];
    // All readers get their URLs from one iterator.
    const reading = Array.from({ length: maxConcurrent }, async () => {
      for (const url of remainingUrls) {
        if (call.signal.aborted) return;
        pieces.push(...(await reader.read(url, call)));
      }
    });
    await Promise.all(reading);
    return pieces;
  }

  return {
    id: 'rss',
    async latest(workspaceId, call) {
      if (isClosed) throw new Error('This source of news is closed.');
      call.signal.throwIfAborted();
      const urls = fixedFeeds ?? checkedFeeds(typeof feeds === 'function' ? await feeds(workspaceId) : feeds);
      return untilAborted(call.signal, readAll(urls, call));
    },
    async close() {
      isClosed = true;
      await reader.close();
    },
  };
}

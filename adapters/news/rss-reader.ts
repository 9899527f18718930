// Fetches feeds, each URL at most once in an hour of the clock, regardless of how many workspaces use it, and caches
// their items. Made by rss.ts. Nothing is stored outside the process. Errors and log lines contain only the origin and
// path of a URL.
import { parseUrl } from '../../core/contract/values/parse-url.ts';
import type { NewsOptions, NewsPiece } from '../../plugins/content-plan/port/index.ts';
import { boundedFeed } from './rss-bounds.ts';
import { readFeed } from './rss-feed.ts';
import { withWindowsSigns } from './rss-text.ts';

const hourMs = 3_600_000;
const maxBytes = 1_048_576;
const maxRedirects = 5;
/** The maximum number of cached feeds. The feed that was not requested for the longest time is evicted. */
const maxFeeds = 2_000;

const accepted =
  'application/rss+xml, application/atom+xml, application/feed+json, application/rdf+xml, application/xml;q=0.9, text/xml;q=0.9, application/json;q=0.8, */*;q=0.1';

/** The version of a response. */
interface Version {
  /** The URL of the response, after redirects. */
  readonly url: string;
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
}

interface Feed {
  /** The hour of the clock in which the feed was last requested. */
  hour: number;
  request: Promise<void> | undefined;
  version: Version | undefined;
  pieces: readonly NewsPiece[];
  isFailing: boolean;
}

/** Reads feeds. */
export interface FeedReader {
  /** The items of the feed, or its last items if fetching fails. Never throws for a feed that fails; the failure is logged. */
  read(url: string, options: NewsOptions): Promise<readonly NewsPiece[]>;
  close(): Promise<void>;
}

/** The bytes as text, in the encoding that the response or the document declares. */
function textOf(body: Uint8Array, contentType = ''): string {
  const start = Buffer.from(body.subarray(0, 200)).toString('latin1');
  const encoding =
    /charset\s*=\s*["']?([\w-]+)/i.exec(contentType)?.[1] ??
    /^[^<]*<\?xml[^>]*encoding\s*=\s*["']([\w-]+)/i.exec(start)?.[1];
  const isMarked = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
  try {
    const decoder = new TextDecoder(isMarked ? 'utf-8' : encoding);
    const text = decoder.decode(body);
    return decoder.encoding === 'windows-1252' ? withWindowsSigns(text) : text;
  } catch {
    return new TextDecoder().decode(body);
  }
}

/** The value, if it can be sent back in a header. */
const sendable = (value = ''): string | undefined => (/^[\x20-\x7e]{1,300}$/.test(value) ? value : undefined);

/** The URL without its query, which may contain a key. */
const withoutQuery = (url: string): string => {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
};

/** Makes the reader. Construction has no side effects. */
export function createFeedReader({ timeoutMs }: { readonly timeoutMs: number }): FeedReader {
  const feeds = new Map<string, Feed>();
  const closing = new AbortController();

  /** The final response, or undefined if the feed has not changed. @throws Error */
  async function fetchFeed(url: string, version: Version | undefined, { outgoing }: NewsOptions) {
    let target = url;
    for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
      const cached = version?.url === target ? version : undefined;
      const answer = await outgoing.request({
        url: target,
        method: 'GET',
        headers: {
          accept: accepted,
          'user-agent': 'postrider',
          ...(cached?.etag === undefined ? {} : { 'if-none-match': cached.etag }),
          ...(cached?.lastModified === undefined ? {} : { 'if-modified-since': cached.lastModified }),
        },
        timeoutMs,
        maxResponseBytes: maxBytes,
        signal: closing.signal,
      });
      const { status, headers, body, cut } = answer;
      if (status === 304 && cached !== undefined) return undefined;
      if (status === 200) {
        if (cut) throw new Error('It is larger than 1 MB, or its response ended early.');
        const validators = {
          url: target,
          etag: sendable(headers['etag']),
          lastModified: sendable(headers['last-modified']),
        };
        return { version: validators, text: textOf(body, headers['content-type']) };
      }
      const { location = '' } = headers;
      const nextUrl = [301, 302, 303, 307, 308].includes(status) ? parseUrl(location, target) : undefined;
      if (nextUrl === undefined) throw new Error(`It answers ${status}.`);
      target = nextUrl.href;
    }
    throw new Error(`It redirects more than ${maxRedirects} times.`);
  }

  async function refresh(feed: Feed, url: string, options: NewsOptions): Promise<void> {
    const { log } = options;
    try {
      const response = await fetchFeed(url, feed.version, options);
      if (response !== undefined) {
        feed.pieces = piecesOf(response.text, url);
        feed.version = response.version;
      }
      if (feed.isFailing) log.warn({ feed: withoutQuery(url) }, 'a feed of market news works again');
      feed.isFailing = false;
    } catch (error) {
      if (closing.signal.aborted) return;
      const cause = error instanceof Error ? error.message : String(error);
      if (!feed.isFailing)
        log.warn({ feed: withoutQuery(url), cause }, 'a feed of market news fails; it is fetched again every hour');
      feed.isFailing = true;
    }
  }

  function feedOf(url: string): Feed {
    const feed = feeds.get(url) ?? {
      ...{ hour: -1, request: undefined, version: undefined, pieces: [], isFailing: false },
    };
    feeds.delete(url);
    feeds.set(url, feed);
    if (feeds.size > maxFeeds)
      for (const oldest of feeds.keys()) {
        feeds.delete(oldest);
        break;
      }
    return feed;
  }

  return {
    async read(url, options) {
      const feed = feedOf(url);
      const hour = Math.floor(options.now / hourMs);
      if (feed.hour !== hour) {
        feed.hour = hour;
        const request = refresh(feed, url, options).finally(() => {
          if (feed.request === request) feed.request = undefined;
        });
        feed.request = request;
      }
      await feed.request;
      return feed.pieces;
    },
    async close() {
      closing.abort(new Error('The source of news was closed.'));
      await Promise.all([...feeds.values()].map(({ request }) => request));
    },
  };
}

/** @throws Error with a message of this file, because a parser's message may repeat its input */
function piecesOf(document: string, url: string): readonly NewsPiece[] {
  const text = boundedFeed(document);
  try {
    return readFeed(text, url);
  } catch (cause) {
    throw new Error('It is not a feed in the format RSS, Atom or JSON Feed.', { cause });
  }
}

// A server of feeds on 127.0.0.1: the test sets the answer of each path. Used by the tests of market news.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A path's answer. */
export interface FeedResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Delays the answer until this promise is settled. */
  readonly after?: Promise<unknown>;
  /** Closes the connection in the middle of the body. */
  readonly breaksOff?: true;
}

export interface FeedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

export interface FeedServer {
  readonly url: string;
  /** Answers by path; other paths return 404. */
  readonly answers: Map<string, FeedResponse>;
  /** The requests so far. */
  readonly asked: FeedRequest[];
  close(): Promise<void>;
}

export async function startFeedServer(): Promise<FeedServer> {
  const answers = new Map<string, FeedResponse>();
  const requests: FeedRequest[] = [];
  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    requests.push({ path, headers: request.headers });
    const { status = 200, headers = {}, body = '', after, breaksOff } = answers.get(path) ?? { status: 404 };
    await after;
    const { etag } = headers;
    if (etag !== undefined && request.headers['if-none-match'] === etag) return void response.writeHead(304).end();
    const length = Buffer.byteLength(body) + (breaksOff === true ? 10 : 0);
    response.writeHead(status, { 'content-length': String(length), ...headers });
    if (breaksOff !== true) return void response.end(body);
    response.write(body, () => response.socket?.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answers,
    asked: requests,
    close() {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** An item of an RSS feed, without its undefined fields */
export interface RssItem {
  readonly title?: string;
  readonly link?: string;
  readonly guid?: string;
  /** HTML. */
  readonly description?: string;
  readonly pubDate?: string;
}

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The text of a feed in RSS 2.0. */
export const rssOf = (title: string, items: readonly RssItem[]): string => {
  const itemTexts = items.map((item) => {
    const fields = Object.entries(item).map(([name, value]) => {
      const start = name === 'guid' ? 'guid isPermaLink="false"' : name;
      return `<${start}>${escapeXml(value)}</${name}>`;
    });
    return `<item>${fields.join('')}</item>`;
  });
  return `<?xml version="1.0" encoding="utf-8"?><rss version="2.0"><channel><title>${escapeXml(title)}</title><link>https://grain.example</link><description>News</description>${itemTexts.join('')}</channel></rss>`;
};

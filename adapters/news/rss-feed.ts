// Reads the items of a feed: RSS 2.0 and 1.0, Atom and JSON Feed, as feedsmith parses them. Called by rss-reader.ts. Pure.

import { type AnyFeed, parseFeed } from 'feedsmith';
import { parseUrl } from '../../core/contract/values/parse-url.ts';
import { beginning, shortened } from '../../core/contract/values/shorten.ts';
import type { NewsPiece } from '../../plugins/content-plan/port/index.ts';
import { textOfHtml } from './rss-text.ts';

/** The maximum number of items from one feed: the newest ones. */
const maxPieces = 100;
/** The maximum number of items that are parsed. A genuine feed of 1 MB does not have more. */
const maxItems = 1_000;
/**
 * The maximum number of XML tags, or JSON lists and objects. Parsers make an object of each, and need half a second for a
 * megabyte of them.
 */
const maxTags = 20_000;
/** The maximum length of a text that is read, and of an excerpt. */
const maxRead = 20_000;
const maxExcerpt = 600;
const maxTitle = 120;
/** Longer URLs are not stored, so that the stored part of a feed is smaller than the feed. */
const maxUrl = 2_048;

/** A text of a feed, and whether it is HTML. */
interface FeedText {
  readonly value?: string | undefined;
  readonly isPlain?: boolean;
}

/** The common fields of the four formats. */
interface FeedItem {
  readonly id: string | undefined;
  readonly title: FeedText;
  readonly link: string | undefined;
  /** The first text that is not empty is used. */
  readonly texts: readonly FeedText[];
  readonly date: string | undefined;
}

interface ReadFeed {
  readonly title: FeedText;
  readonly items: readonly FeedItem[];
}

const html = (value: string | undefined): FeedText => ({ value });
const plain = (value: string | undefined): FeedText => ({ value, isPlain: true });

interface AtomText {
  readonly value?: string;
  readonly type?: string;
}

/** An Atom text without a type is plain text. The content of an entry may have a type that is not text; it is ignored. */
const ofAtom = ({ value, type = 'text' }: AtomText = {}): FeedText =>
  type === 'text' || type === 'text/plain' ? plain(value) : /html/.test(type) ? html(value) : {};

interface AtomLink {
  readonly href?: string;
  readonly rel?: string;
}

const pageOf = (links: readonly AtomLink[] = []): string | undefined =>
  links.find(({ rel = 'alternate' }) => rel === 'alternate')?.href;

function readItems(parsed: AnyFeed): ReadFeed {
  switch (parsed.format) {
    case 'rss': {
      const { title, items = [] } = parsed.feed;
      return {
        title: html(title),
        items: items.map(({ guid, title: heading, link, description, content, pubDate, dc, atom }) => ({
          id: guid?.value,
          title: html(heading),
          link: link ?? pageOf(atom?.links) ?? (guid?.isPermaLink === false ? undefined : guid?.value),
          texts: [html(description), html(content?.encoded)],
          date: pubDate ?? dc?.dates?.[0] ?? atom?.published,
        })),
      };
    }
    case 'rdf': {
      const { title, items = [] } = parsed.feed;
      return {
        title: html(title),
        items: items.map(({ title: heading, link, description, content, dc, rdf }) => ({
          id: rdf?.about,
          title: html(heading),
          link: link ?? rdf?.about,
          texts: [html(description), html(content?.encoded)],
          date: dc?.dates?.[0],
        })),
      };
    }
    case 'atom': {
      const { title, entries = [] } = parsed.feed;
      return {
        title: ofAtom(title),
        items: entries.map(({ id, title: heading, links, summary, content, published, updated }) => ({
          id,
          title: ofAtom(heading),
          link: pageOf(links),
          texts: [ofAtom(summary), ofAtom(content)],
          date: published ?? updated,
        })),
      };
    }
    case 'json': {
      const { title, items = [] } = parsed.feed;
      return {
        title: plain(title),
        items: items.map((item) => ({
          id: item.id,
          title: plain(item.title),
          link: item.url ?? item.external_url,
          texts: [plain(item.summary), plain(item.content_text), html(item.content_html)],
          date: item.date_published,
        })),
      };
    }
  }
}

const textOf = ({ value = '', isPlain = false }: FeedText): string => {
  const start = beginning(value, maxRead);
  return beginning((isPlain ? start : textOfHtml(start)).replace(/\s+/g, ' ').trim(), maxExcerpt);
};

/** The time of a date; undefined if it is not a date. Without a zone it counts as UTC, on every machine. */
function timeOf(date: string | undefined): number | undefined {
  if (date === undefined) return undefined;
  const text = date.trim().slice(0, 100);
  const hasTime = /\d:\d\d/.test(text);
  const hasZone = hasTime && /(?:z|[a-z]{3,5}|ut|[+-]\d{2}:?\d{2}|[+-]\d{2}|\))$/i.test(text);
  // JavaScript itself reads these dates as a day in UTC.
  const isDay = /^\d{4}(?:-\d\d){0,2}$/.test(text);
  const zone = hasZone || isDay ? '' : /^\d{4}-.*\d$/.test(text) && hasTime ? 'Z' : ' UTC';
  const at = Date.parse(text + zone);
  return Number.isNaN(at) ? undefined : at;
}

/** The absolute URL. `link` may be relative to the feed's URL. */
const addressOf = (link: string | undefined, feedUrl: string): string | undefined =>
  link === undefined ? undefined : parseUrl(link, feedUrl)?.href;

/** A title for items without one, such as a short message. */
const titleOf = (text: string): string => shortened(text, maxTitle);

function pieceOf(item: FeedItem, url: string, source: string): NewsPiece | undefined {
  const address = addressOf(item.link, url);
  const excerpt = item.texts.map(textOf).find((text) => text !== '') ?? '';
  const title = textOf(item.title) || titleOf(excerpt);
  if (title === '' || address === undefined || !/^https?:/.test(address) || address.length > maxUrl) return undefined;
  const id = item.id === undefined || item.id.length > maxUrl ? address : item.id;
  // Ids are unique only within their feed: many are plain numbers.
  return { id: `${url} ${id}`, title, url: address, source, excerpt, publishedAt: timeOf(item.date) };
}

/** Whether a feed has more tags than a genuine feed. */
function hasTooManyTags(text: string): boolean {
  let tags = 0;
  for (let at = 0; at < text.length && tags <= maxTags; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === 0x3c || sign === 0x5b || sign === 0x7b) tags += 1;
  }
  return tags > maxTags;
}

/**
 * The newest items of a feed. `url` is the URL that was requested.
 * @throws Error if the text is not a feed
 */
export function readFeed(text: string, url: string): NewsPiece[] {
  if (hasTooManyTags(text)) throw new Error(`The feed has more than ${maxTags} tags.`);
  const { title, items } = readItems(parseFeed(text, { maxItems }));
  const source = textOf(title) || new URL(url).host;
  const pieces = items.flatMap((item) => pieceOf(item, url, source) ?? []);
  const undated = Number.POSITIVE_INFINITY;
  const newest = pieces
    .sort((a, b) => (b.publishedAt ?? undated) - (a.publishedAt ?? undated) || 0)
    .slice(0, maxPieces);
  // Copied, because a substring would keep the whole document in memory.
  return structuredClone(newest);
}

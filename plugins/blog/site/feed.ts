// The feed of a blog: RSS 2.0 with the newest posts and their texts, up to a size limit. Every address in it is
// absolute. Pure, except for loading feedsmith.
import { escapeHtml, joinParts, type TextParts } from '../../../core/unstable.ts';
import type { PublishedCard } from '../tables.ts';

/** A post in the feed. */
export interface FeedPost {
  /** The id stays the same if the address changes. */
  readonly id: string;
  readonly card: PublishedCard;
  /** Undefined if the feed has no room for the text: readers follow the link. */
  readonly html: TextParts | undefined;
  readonly url: string;
  readonly publishedAt: number;
}

/** The feed itself. */
export interface FeedHead {
  readonly title: string;
  readonly description: string;
  readonly language: string;
  /** The address of the list of posts. */
  readonly url: string;
  readonly feedUrl: string;
  readonly updatedAt: number;
}

/** Removes characters that XML 1.0 cannot represent. */
const writable = (text: string): string =>
  text.replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '');

/** Returns the feed as an XML document. */
export async function feedXml(
  { title, description, language, url, feedUrl, updatedAt }: FeedHead,
  posts: readonly FeedPost[],
  pictureUrl: (assetId: string) => string | undefined,
): Promise<string> {
  const { generateRssFeed } = await import('feedsmith');
  return generateRssFeed({
    ...{ title: writable(title), link: url, description: writable(description), language },
    lastBuildDate: new Date(updatedAt),
    atom: { links: [{ href: feedUrl, rel: 'self', type: 'application/rss+xml' }] },
    items: posts.map(({ id, card, html, url: link, publishedAt }) => ({
      ...{ title: writable(card.title), link, guid: { value: id, isPermaLink: false }, pubDate: new Date(publishedAt) },
      // Feed readers interpret the description as HTML.
      description: writable(escapeHtml(card.excerpt ?? card.beginning)),
      ...(html === undefined ? {} : { content: { encoded: writable(joinParts(html, { pictureUrl, base: link })) } }),
      categories: card.tags.map((name) => ({ name: writable(name) })),
      ...(card.author === null ? {} : { dc: { creators: [writable(card.author.name)] } }),
    })),
  });
}

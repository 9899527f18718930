// The feed of a blog: RSS 2.0 with the whole text of the newest posts. Every address in it is absolute. Pure but for loading feedsmith.
import { escapeHtml, withPictures } from '../../../core/unstable.ts';
import type { PublishedCard } from '../tables.ts';

/** A post in the feed. */
export interface FeedPost {
  /** The id stays when the address changes. */
  readonly id: string;
  readonly card: PublishedCard;
  readonly html: string;
  readonly url: string;
  readonly publishedAt: number;
}

/** The feed itself. */
export interface FeedHead {
  readonly title: string;
  readonly description: string;
  readonly language: string;
  /** Of the list of posts. */
  readonly url: string;
  readonly feedUrl: string;
  readonly updatedAt: number;
}

/** Characters that XML 1.0 has no way to write. */
const writable = (text: string): string =>
  text.replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '');

/** Links into the page and into the site as readers of feeds can follow them. */
const absolute = (html: string, url: string): string =>
  html.replace(/ tabindex="0"/g, '').replace(/(<a href=")([#/][^"]*)"/g, (_, start: string, path: string) => {
    const plain = path.replace(/&amp;/g, '&');
    return `${start}${escapeHtml(new URL(plain, url).href)}"`;
  });

/** The document. */
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
      description: writable(card.excerpt ?? card.beginning),
      content: { encoded: writable(absolute(withPictures(html, pictureUrl), link)) },
      categories: card.tags.map((name) => ({ name: writable(name) })),
      ...(card.author === null ? {} : { dc: { creators: [writable(card.author.name)] } }),
    })),
  });
}

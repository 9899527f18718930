// The feed of a blog: RSS 2.0 as its Best Practices Profile recommends, with the newest posts and their texts, up to a
// size limit. Every address in it is absolute. Pure.
import { directionOf, escapeHtml, joinParts, type TextParts } from '../../../core/unstable.ts';
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
  /** A BCP 47 tag. */
  readonly language: string;
}

/** The feed itself. */
export interface FeedHead {
  readonly title: string;
  readonly description: string;
  readonly language: string;
  /** The address of the list of posts. */
  readonly url: string;
  readonly feedUrl: string;
  /** Undefined for a feed without posts. */
  readonly updatedAt: number | undefined;
}

/** Removes characters that XML 1.0 cannot represent. */
const withoutInvalidXml = (text: string): string =>
  text.replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '');

/**
 * Text as XML. Many feed readers interpret titles as HTML. They show these character references as the original text, whether they
 * interpret titles as HTML or not.
 * @see https://www.rssboard.org/rss-profile#data-types-characterdata
 */
const escapeXml = (text: string): string =>
  withoutInvalidXml(text)
    .trim()
    .replace(/[&<>"]/g, (sign) => `&#x${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase()};`);

/** An element with text; nothing if the text is empty. */
const element = (name: string, text: string, attributes = ''): string => {
  const escaped = escapeXml(text);
  return escaped === '' ? '' : `<${name}${attributes}>${escaped}</${name}>\n`;
};

/** An element whose text is HTML. */
const htmlElement = (name: string, html: string): string => {
  const text = withoutInvalidXml(html).replaceAll(']]>', ']]]]><![CDATA[>');
  return text === '' ? '' : `<${name}><![CDATA[${text}]]></${name}>\n`;
};

/** A time as RFC 822 with a year of four digits. */
const rfc822 = (time: number): string => new Date(time).toUTCString();

/** RSS cannot state the language of a single text, so the HTML of the text states it. */
const inLanguage = (language: string, html: string): string =>
  `<div lang="${escapeHtml(language)}" dir="${directionOf(language)}">${html}</div>`;

function itemOf(
  { id, card, html, url, publishedAt, language }: FeedPost,
  pictureUrl: (assetId: string) => string | undefined,
): string {
  const text = html && inLanguage(language, joinParts(html, { pictureUrl, base: url, language }));
  return [
    '<item>\n',
    element('title', card.title) || element('title', url),
    element('link', url),
    element('guid', id, ' isPermaLink="false"'),
    element('pubDate', rfc822(publishedAt)),
    // The description comes before the text. Readers interpret both as HTML.
    htmlElement('description', escapeHtml(card.excerpt ?? card.beginning)),
    text === undefined ? '' : htmlElement('content:encoded', text),
    ...card.tags.map((tag) => element('category', tag)),
    element('dc:creator', card.author?.name ?? ''),
    element('dc:language', language),
    '</item>\n',
  ].join('');
}

/** Returns the feed as an XML document. */
export function feedXml(
  { title, description, language, url, feedUrl, updatedAt }: FeedHead,
  posts: readonly FeedPost[],
  pictureUrl: (assetId: string) => string | undefined,
): string {
  const namespaces = [
    'xmlns:atom="http://www.w3.org/2005/Atom"',
    'xmlns:content="http://purl.org/rss/1.0/modules/content/"',
    'xmlns:dc="http://purl.org/dc/elements/1.1/"',
  ].join(' ');
  return `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" ${namespaces}>
<channel>
${element('title', title)}${element('link', url)}${element('description', description)}${element('language', language)}${updatedAt === undefined ? '' : element('lastBuildDate', rfc822(updatedAt))}<atom:link href="${escapeXml(feedUrl)}" rel="self" type="application/rss+xml"/>
${posts.map((post) => itemOf(post, pictureUrl)).join('')}</channel>
</rss>
`;
}

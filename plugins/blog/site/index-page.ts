// A page of the list of posts. Called by the public route.
import { escapeHtml, type PageAppearance } from '../../../core/unstable.ts';
import type { PublishedCard } from '../tables.ts';
import type { BlogPicture } from './article.ts';
import { type BlogPage, linkTag, meta } from './document.ts';
import { metaLine } from './parts.ts';
import { type BlogLanguage, fillText } from './texts.ts';

/** A post in the list. */
export interface ListedPost {
  readonly card: PublishedCard;
  readonly url: string;
  readonly publishedAt: number;
  readonly cover: BlogPicture | undefined;
}

/** The position of the page in the list. */
export interface ListPosition {
  readonly page: number;
  readonly pages: number;
  /** The address of a page of the list. */
  urlOf(page: number): string;
}

/**
 * The picture is a second link to the post. It is hidden from screen readers, so that they announce the post only once.
 */
function listed({ card, url, publishedAt, cover }: ListedPost, spoken: BlogLanguage): string {
  const excerpt = card.excerpt ?? card.beginning;
  const thumb =
    cover === undefined
      ? ''
      : `<a class="thumb" href="${escapeHtml(url)}" tabindex="-1" aria-hidden="true"><img src="${escapeHtml(cover.url)}" alt="" loading="lazy"></a>\n`;
  return `<article>
${thumb}${metaLine(card, { publishedAt, revisedAt: publishedAt }, spoken)}
<h2><a href="${escapeHtml(url)}">${escapeHtml(card.title)}</a></h2>
${excerpt === '' ? '' : `<p class="excerpt">${escapeHtml(excerpt)}</p>\n`}</article>`;
}

/** Links to the previous and the next page. */
function beside({ page, pages, urlOf }: ListPosition, { texts }: BlogLanguage): string {
  if (pages <= 1) return '';
  const to = (rel: 'prev' | 'next', target: number, text: string) =>
    `<a rel="${rel}" href="${escapeHtml(urlOf(target))}">${escapeHtml(text)}</a>`;
  return `<nav class="pages" aria-label="${escapeHtml(texts.pages)}">
<div>${page > 1 ? to('prev', page - 1, texts.newer) : ''}</div>
<span>${escapeHtml(fillText(texts.page, { page, pages }))}</span>
<div>${page < pages ? to('next', page + 1, texts.older) : ''}</div>
</nav>`;
}

/** Renders one page of the list. */
export function indexPage(
  posts: readonly ListedPost[],
  position: ListPosition,
  appearance: PageAppearance,
  links: BlogPage['links'],
  spoken: BlogLanguage,
): BlogPage {
  const { texts } = spoken;
  const { page, pages, urlOf } = position;
  const title = page === 1 ? `${texts.blog} · ${appearance.name}` : `${texts.blog} (${page}) · ${appearance.name}`;
  const body =
    posts.length === 0 ? `<p>${escapeHtml(texts.empty)}</p>` : posts.map((one) => listed(one, spoken)).join('\n');
  return {
    ...{ appearance: appearance, links, title },
    head: [
      linkTag('canonical', urlOf(page)),
      ...(page > 1 ? [linkTag('prev', urlOf(page - 1))] : []),
      ...(page < pages ? [linkTag('next', urlOf(page + 1))] : []),
      ...[meta('og:type', 'website'), meta('og:title', title), meta('og:url', urlOf(page))],
      meta('og:site_name', appearance.name),
      `<link rel="alternate" type="application/rss+xml" title="${escapeHtml(appearance.name)}" href="${escapeHtml(links.feed)}">`,
    ],
    pictures: posts.flatMap(({ cover }) => (cover === undefined ? [] : [cover.url])),
    body: `<main id="content" class="wrap index"><h1>${escapeHtml(texts.blog)}</h1>
${body}
${beside(position, spoken)}</main>`,
  };
}

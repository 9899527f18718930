// A page of a list of posts: of all posts, or of those with a tag. Called by the public routes.
import { escapeHtml, type PageAppearance } from '../../../core/unstable.ts';
import type { PublishedCard } from '../tables.ts';
import { type BlogPicture, subscribeBox } from './article.ts';
import { type BlogPage, linkTag, meta } from './document.ts';
import { languageAttributes, metaLine } from './parts.ts';
import { type BlogLanguage, fillText } from './texts.ts';

/** A post in the list. */
export interface ListedPost {
  readonly card: PublishedCard;
  readonly url: string;
  readonly publishedAt: number;
  readonly cover: BlogPicture | undefined;
}

/** A list of posts. */
export interface PostList {
  /** The heading, as text. */
  readonly heading: string;
  /** The heading as HTML. (Default: the text) */
  readonly headingHtml?: string;
  readonly posts: readonly ListedPost[];
  readonly position: ListPosition;
  /** The subscribe form, as HTML. */
  readonly subscribe: string | undefined;
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
function postEntry({ card, url, publishedAt, cover }: ListedPost, blog: BlogLanguage): string {
  const spoken = blog.forPost(card.language);
  const excerpt = card.excerpt ?? card.beginning;
  const thumb =
    cover === undefined
      ? ''
      : `<a class="thumb" href="${escapeHtml(url)}" tabindex="-1" aria-hidden="true"><img src="${escapeHtml(cover.url)}" alt="" loading="lazy"></a>\n`;
  return `<article${spoken.language === blog.language ? '' : languageAttributes(spoken.language)}>
${thumb}${metaLine(card, { publishedAt, revisedAt: publishedAt }, spoken)}
<h2><a href="${escapeHtml(url)}">${escapeHtml(card.title)}</a></h2>
${excerpt === '' ? '' : `<p class="excerpt">${escapeHtml(excerpt)}</p>\n`}</article>`;
}

/** Links to the previous and the next page. */
function pageLinks({ page, pages, urlOf }: ListPosition, { texts }: BlogLanguage): string {
  if (pages <= 1) return '';
  const linkTo = (rel: 'prev' | 'next', target: number, text: string) =>
    `<a rel="${rel}" href="${escapeHtml(urlOf(target))}">${escapeHtml(text)}</a>`;
  return `<nav class="pages" aria-label="${escapeHtml(texts.pages)}">
<div>${page > 1 ? linkTo('prev', page - 1, texts.newer) : ''}</div>
<span>${escapeHtml(fillText(texts.page, { page, pages }))}</span>
<div>${page < pages ? linkTo('next', page + 1, texts.older) : ''}</div>
</nav>`;
}

/** Renders one page of the list. */
export function indexPage(
  { heading, headingHtml = escapeHtml(heading), posts, position, subscribe }: PostList,
  appearance: PageAppearance,
  links: BlogPage['links'],
  spoken: BlogLanguage,
): BlogPage {
  const { texts } = spoken;
  const { page, pages, urlOf } = position;
  const title = page === 1 ? `${heading} · ${appearance.name}` : `${heading} (${page}) · ${appearance.name}`;
  const body =
    posts.length === 0
      ? `<p><bdi>${escapeHtml(texts.empty)}</bdi></p>`
      : posts.map((post) => postEntry(post, spoken)).join('\n');
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
    hasForm: subscribe !== undefined,
    body: `<main id="content" class="wrap index"><h1>${headingHtml}</h1>
${body}
${pageLinks(position, spoken)}${subscribeBox(subscribe, spoken)}</main>`,
  };
}

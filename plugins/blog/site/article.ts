// The page of one post. Called by the public route and by previews; lists of posts use its subscribe form.
import { escapeHtml, joinParts, type PageAppearance, picturesIn, type TextParts } from '../../../core/unstable.ts';
import type { PublishedCard } from '../tables.ts';
import { type BlogPage, linkTag, meta } from './document.ts';
import { languageAttributes, metaLine } from './parts.ts';
import type { BlogLanguage } from './texts.ts';

/** A picture, as pages show it. */
export interface BlogPicture {
  readonly url: string;
  readonly alt: string;
  readonly width: number | null;
  readonly height: number | null;
}

/** A link to another post. */
export interface PostLink {
  readonly title: string;
  readonly url: string;
  /** A BCP 47 tag. */
  readonly language: string;
}

/** The posts to which the page of a post links. */
export interface PostsAround {
  readonly previous?: PostLink | undefined;
  readonly next?: PostLink | undefined;
  readonly related: readonly PostLink[];
}

/** The data of a post to show. */
export interface ArticleView {
  readonly card: PublishedCard;
  readonly html: TextParts;
  readonly publishedAt: number;
  readonly revisedAt: number;
  /** The pictures by asset. An asset without an entry no longer exists; its description is shown instead. */
  readonly pictures: ReadonlyMap<string, BlogPicture>;
  /** The public address of the post. */
  readonly url: string;
  /** The address of the picture for link previews, if the post has no cover. */
  readonly linkPicture?: string | undefined;
  readonly around: PostsAround;
  /** The address of a tag's page. */
  tagUrl(tag: string): string;
  /** The subscribe form, as HTML. */
  readonly subscribe?: string | undefined;
}

const size = ({ width, height }: BlogPicture): string =>
  width === null || height === null ? '' : ` width="${width}" height="${height}"`;

/** The tag of a picture above a text. */
export const pictureTag = (picture: BlogPicture): string =>
  `<img src="${escapeHtml(picture.url)}" alt="${escapeHtml(picture.alt)}"${size(picture)}>`;

/** The assets that the page of the post shows. */
export const visibleAssetIds = (card: PublishedCard, html: TextParts): string[] =>
  card.coverAssetId === null ? picturesIn(html) : [card.coverAssetId, ...picturesIn(html)];

/** The metadata for link previews. */
function headOf(
  { card, publishedAt, revisedAt, pictures, url, linkPicture }: ArticleView,
  look: PageAppearance,
): string[] {
  const description = card.seo.description ?? card.excerpt ?? card.beginning;
  const cover = card.coverAssetId === null ? undefined : pictures.get(card.coverAssetId);
  const picture = cover ?? (linkPicture === undefined ? undefined : { url: linkPicture, alt: card.title });
  return [
    ...(description === '' ? [] : [meta('description', description)]),
    linkTag('canonical', url),
    meta('og:type', 'article'),
    meta('og:title', card.seo.title ?? card.title),
    ...(description === '' ? [] : [meta('og:description', description)]),
    meta('og:url', url),
    meta('og:site_name', look.name),
    meta('article:published_time', new Date(publishedAt).toISOString()),
    meta('article:modified_time', new Date(revisedAt).toISOString()),
    ...card.tags.map((tag) => meta('article:tag', tag)),
    ...(card.author === null ? [] : [meta('author', card.author.name)]),
    ...(picture === undefined ? [] : [meta('og:image', picture.url), meta('og:image:alt', picture.alt)]),
    meta('twitter:card', picture === undefined ? 'summary' : 'summary_large_image'),
  ];
}

/** A link to a post, with its language if the page has another one. */
const postLink = ({ title, url, language }: PostLink, page: string, rel?: 'prev' | 'next'): string => {
  const other = language === page ? '' : ` hreflang="${escapeHtml(language)}"${languageAttributes(language)}`;
  return `<a${rel === undefined ? '' : ` rel="${rel}"`} href="${escapeHtml(url)}"${other}>${escapeHtml(title)}</a>`;
};

/** The links to the posts before and after this one, and to related posts. */
function aroundHtml({ previous, next, related }: PostsAround, { texts, language }: BlogLanguage): string {
  const linkTo = (rel: 'prev' | 'next', label: string, link: PostLink | undefined) =>
    link === undefined
      ? ''
      : `<div class="${rel}"><span>${escapeHtml(label)}</span>${postLink(link, language, rel)}</div>`;
  const both = `${linkTo('prev', texts.previous, previous)}${linkTo('next', texts.next, next)}`;
  const items = related.map((link) => `<li>${postLink(link, language)}</li>`).join('');
  return [
    ...(both === '' ? [] : [`<nav class="around" aria-label="${escapeHtml(texts.around)}">${both}</nav>`]),
    ...(items === ''
      ? []
      : [`<section class="related"><h2>${escapeHtml(texts.related)}</h2><ul>${items}</ul></section>`]),
  ].join('\n');
}

/** The subscribe form with its heading. */
export const subscribeBox = (form: string | undefined, { texts }: BlogLanguage): string =>
  form === undefined ? '' : `\n<section class="subscribe"><h2>${escapeHtml(texts.subscribe)}</h2>${form}</section>`;

/** Renders the page of a post. `postLanguage`: the language of the post. */
export function articlePage(
  article: ArticleView,
  appearance: PageAppearance,
  links: BlogPage['links'],
  postLanguage: BlogLanguage,
): Omit<BlogPage, 'notice'> {
  const { card, html, pictures, around, tagUrl, subscribe } = article;
  const { texts, language } = postLanguage;
  const cover = card.coverAssetId === null ? undefined : pictures.get(card.coverAssetId);
  const tags = card.tags
    .map((tag) => `<li><a rel="tag" href="${escapeHtml(tagUrl(tag))}" dir="auto">${escapeHtml(tag)}</a></li>`)
    .join('');
  return {
    ...{ appearance: appearance, links, title: `${card.seo.title ?? card.title} · ${appearance.name}` },
    head: [
      ...headOf(article, appearance),
      `<link rel="alternate" type="application/rss+xml" title="${escapeHtml(appearance.name)}" href="${escapeHtml(links.feed)}">`,
    ],
    pictures: [...pictures.values()].map(({ url }) => url),
    hasForm: subscribe !== undefined,
    body: `<main id="content" class="wrap"><article class="post"${languageAttributes(language)}>
<header><h1>${escapeHtml(card.title)}</h1>
${card.excerpt === null ? '' : `<p class="lead">${escapeHtml(card.excerpt)}</p>\n`}${metaLine(card, article, postLanguage)}</header>
${cover === undefined ? '' : `<div class="cover">${pictureTag(cover)}</div>\n`}<div class="text">
${joinParts(html, { pictureUrl: (id) => pictures.get(id)?.url, language })}
</div>
<footer>${tags === '' ? '' : `<ul class="tags" aria-label="${escapeHtml(texts.tags)}">${tags}</ul>\n`}<a href="${escapeHtml(links.blog)}">${escapeHtml(texts.all)}</a></footer>
</article>
${aroundHtml(around, postLanguage)}${subscribeBox(subscribe, postLanguage)}</main>`,
  };
}

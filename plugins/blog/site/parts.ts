// Shared parts of the blog's pages: addresses, dates, the line below a title. Pure.
import type { ServiceInfo, Workspace } from '../../../core/index.ts';
import { contentUrl, directionOf, escapeHtml, sentenceHtml } from '../../../core/unstable.ts';
import type { PublishedCard } from '../tables.ts';
import { type BlogLanguage, fillText } from './texts.ts';

/** The address of a path of the blog. If the service has no public address, it is the path below this workspace. */
export const addressOf = (service: ServiceInfo, workspace: Workspace, path: string): string =>
  contentUrl(service, workspace, path) ?? `/p/${workspace.id}${path}`;

/** The attributes of an element in a language. @param language a BCP 47 tag */
export const languageAttributes = (language: string): string =>
  ` lang="${escapeHtml(language)}" dir="${directionOf(language)}"`;

const wordsAMinute = 220;

/** A day, formatted in the language of the blog. */
const dayOf = (time: number, language: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(time);

const timeTag = (time: number, language: string): string =>
  `<time datetime="${new Date(time).toISOString()}">${escapeHtml(dayOf(time, language))}</time>`;

const day = 86_400_000;

/** Author, day and reading time. */
export function metaLine(
  card: Pick<PublishedCard, 'author' | 'words'>,
  { publishedAt, revisedAt }: { readonly publishedAt: number; readonly revisedAt: number },
  { language, texts }: BlogLanguage,
): string {
  const { author, words } = card;
  const minutes = Math.max(1, Math.round(words / wordsAMinute));
  const parts = [
    ...(author === null ? [] : [`<bdi>${sentenceHtml(texts.by, { name: author.name })}</bdi>`]),
    timeTag(publishedAt, language),
    ...(revisedAt - publishedAt < day
      ? []
      : [`<bdi>${escapeHtml(texts.revised).replace('{date}', () => timeTag(revisedAt, language))}</bdi>`]),
    `<bdi>${escapeHtml(fillText(texts.readingTime, { minutes }))}</bdi>`,
  ];
  return `<p class="meta">${parts.join(' · ')}</p>`;
}

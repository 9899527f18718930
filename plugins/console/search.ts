// The search of the console: the results of each page for a text, and the pages whose titles begin with it. Works without a script; the
// script also opens it over every page.
import {
  type ConsoleContext,
  type ConsoleMatch,
  type ConsolePageDeclaration,
  type ConsoleView,
  isPostriderError,
} from '../../core/index.ts';
import { beginsWith, emptyNotice, filterForm, type Html, html } from '../../core/unstable.ts';
import { contentOf, isPage, type NavigationArea } from './navigation.ts';

/** The path of the search. No plugin can take it. */
export const searchPath = 'search';

const [minLength, maxLength] = [2, 254];
/** The maximum number of matches that are shown for a page. */
const maxMatches = 5;

/** The matches of one page. */
interface Found {
  readonly title: string;
  readonly matches: readonly ConsoleMatch[];
}

async function findIn(ctx: ConsoleContext, page: ConsolePageDeclaration, text: string): Promise<Found> {
  const { title } = page;
  const { find } = await contentOf(page);
  try {
    const matches = (await find?.(ctx, text)) ?? [];
    return { title, matches: matches.slice(0, maxMatches) };
  } catch (error) {
    if (!isPostriderError(error) || error.status >= 500) throw error;
    return { title, matches: [] };
  }
}

const group = (ctx: ConsoleContext, { title, matches }: Found): Html =>
  html`<h2>${title}</h2><ul>${matches.map(
    ({ title: name, detail, path, query }) =>
      html`<li><a href="${ctx.link(path, query)}"><span dir="auto">${name}</span>${detail === undefined ? null : html`<span class="quiet" dir="auto">${detail}</span>`}</a></li>`,
  )}</ul>`;

/** The page of the search, over the pages of this navigation. */
export function searchPage(navigation: readonly NavigationArea[]): ConsolePageDeclaration {
  const pages = navigation.flatMap(({ entries }) => entries.filter(isPage));
  async function render(ctx: ConsoleContext): Promise<ConsoleView> {
    const text = ctx.query['q']?.trim() ?? '';
    const form = filterForm(ctx, searchPath, [{ name: 'q', label: 'Id, address, key or name' }]);
    if (text.length < minLength || text.length > maxLength) {
      const sentence = `Write ${minLength} to ${maxLength} characters: a whole id, an address, or the beginning of a name or a key.`;
      return { heading: 'Search', body: html`${form}<div class="found">${emptyNotice(sentence)}</div>` };
    }
    const named = pages.filter(({ title }) => beginsWith(text, title)).map(({ title, path }) => ({ title, path }));
    const all = await Promise.all(pages.map((page) => findIn(ctx, page, text)));
    const found = [...all, { title: 'Pages', matches: named }].filter(({ matches }) => matches.length > 0);
    const list =
      found.length === 0
        ? emptyNotice('Nothing here has this id, or begins with this text.')
        : html`<div class="card">${found.map((pageMatches) => group(ctx, pageMatches))}</div>`;
    return { heading: 'Search', body: html`${form}<div class="found">${list}</div>` };
  }
  return { area: 'Search', path: searchPath, title: 'Search', scopes: [], render };
}

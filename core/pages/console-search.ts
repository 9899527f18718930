// Searches for the console: finds a resource by its id, or some of the newest resources by their names. Called by `find` of pages.
import type { ConsoleContext, ConsoleMatch } from '../contract/declaration/console.ts';
import { isPostriderError } from '../contract/errors/errors.ts';
import { clearFilters, emptyNotice } from './console-parts.ts';
import type { Html } from './html.ts';

/** The number of rows that are compared by name: one page of the list, which is read along an index. */
export const comparedRows = 100;

const caseFolded = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Whether a word in one of these names begins with the text. Ignores case. */
export function beginsWith(text: string, ...names: readonly (string | null | undefined)[]): boolean {
  const beginning = caseFolded(text.trim());
  return names.some((name) => {
    if (name === null || name === undefined) return false;
    const foldedName = caseFolded(name);
    // `2.0` is a word, and so is each of its parts.
    const words = [/\s+/, /[\s/_.-]+/].flatMap((separators) => foldedName.split(separators));
    return foldedName.startsWith(beginning) || words.some((word) => word.startsWith(beginning));
  });
}

/**
 * The match that `read` returns, if the text is an id with this prefix. Empty if there is no such resource, or if the person may
 * not see it.
 */
export async function foundById(
  text: string,
  prefix: string,
  read: (id: string) => Promise<ConsoleMatch>,
): Promise<ConsoleMatch[]> {
  if (!text.startsWith(`${prefix}_`)) return [];
  try {
    return [await read(text)];
  } catch (error) {
    if (isPostriderError(error) && error.status < 500) return [];
    throw error;
  }
}

/** The source of a search: reads one resource by its id, and lists the newest resources. */
interface SearchSource<T> {
  /** The prefix of ids, without the underscore. */
  readonly prefix: string;
  readonly read: (id: string) => Promise<T>;
  /** Lists the newest `limit` resources. */
  readonly list: (page: { readonly limit: number }) => Promise<{ readonly data: readonly T[] }>;
  /** The names of a resource, which are compared with the text. */
  readonly namesOf: (resource: T) => readonly (string | null)[];
  readonly matchOf: (resource: T) => ConsoleMatch;
}

/** The resource with this id; otherwise the newest resources with a name that begins with the text. */
export async function foundByIdOrName<T>(text: string, source: SearchSource<T>): Promise<ConsoleMatch[]> {
  const { prefix, read, list, namesOf, matchOf } = source;
  const byId = await foundById(text, prefix, async (id) => matchOf(await read(id)));
  if (byId.length > 0) return byId;
  const { data } = await list({ limit: comparedRows });
  return data.filter((resource) => beginsWith(text, ...namesOf(resource))).map(matchOf);
}

/** How many pages of a list are read until one has a row. */
const maxPages = 10;

interface ListPage {
  readonly data: readonly unknown[];
  readonly next_cursor: string | null;
}

/**
 * The first page of a list that has a row, from the viewer's cursor on. A page of a list with a scanned filter can be empty and have a
 * next one. After ten such pages, the viewer decides whether to go on: `pager` links to the next one.
 */
export async function firstPageWithRows<Page extends ListPage>(
  { query: { cursor } }: Pick<ConsoleContext, 'query'>,
  read: (at: { readonly cursor?: string }) => Promise<Page>,
): Promise<Page> {
  let page = await read(cursor === undefined ? {} : { cursor });
  for (let count = 1; count < maxPages && page.data.length === 0 && page.next_cursor !== null; count += 1)
    page = await read({ cursor: page.next_cursor });
  return page;
}

/** Shown instead of the rows if a list has no match: whether the whole list was searched. */
export const noMatchNotice = (
  ctx: Pick<ConsoleContext, 'link' | 'query'>,
  path: string,
  rows: string,
  next: string | null,
): Html =>
  emptyNotice(
    next === null
      ? `No ${rows} matches these filters.`
      : `No ${rows} matches these filters so far. Older ones may match.`,
    clearFilters(ctx, path),
  );

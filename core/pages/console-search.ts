// What pages of the console find for its search: one thing by its id, or some among few by their names. Called by `find` of pages.
import type { ConsoleMatch } from '../contract/declaration/console.ts';
import { isPostriderError } from '../contract/errors/errors.ts';

/** How many rows of a list are compared by name: one page of the list, whose order an index gives. */
export const comparedRows = 100;

const folded = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Whether a word of one of these texts begins with the text, whatever the case. */
export function beginsWith(text: string, ...names: readonly (string | null | undefined)[]): boolean {
  const sought = folded(text.trim());
  return names.some((name) => {
    if (name === null || name === undefined) return false;
    const whole = folded(name);
    return whole.startsWith(sought) || whole.split(/[\s/_.-]+/).some((word) => word.startsWith(sought));
  });
}

/**
 * The thing that `read` returns, if the text is an id with this prefix. Nothing if there is no such thing here, or the person may not
 * see it.
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

/** Where the search looks: one thing by its id, and the newest ones. */
interface Searched<T> {
  /** The prefix of ids, without the underscore. */
  readonly prefix: string;
  readonly read: (id: string) => Promise<T>;
  /** The newest `limit` things. */
  readonly list: (page: { readonly limit: number }) => Promise<{ readonly data: readonly T[] }>;
  /** What people call the thing; its names are compared with the text. */
  readonly namesOf: (thing: T) => readonly (string | null)[];
  readonly matchOf: (thing: T) => ConsoleMatch;
}

/** The thing with this id, else those among the newest that have a name which begins with the text. */
export async function foundByIdOrName<T>(text: string, searched: Searched<T>): Promise<ConsoleMatch[]> {
  const { prefix, read, list, namesOf, matchOf } = searched;
  const byId = await foundById(text, prefix, async (id) => matchOf(await read(id)));
  if (byId.length > 0) return byId;
  const { data } = await list({ limit: comparedRows });
  return data.filter((thing) => beginsWith(text, ...namesOf(thing))).map(matchOf);
}

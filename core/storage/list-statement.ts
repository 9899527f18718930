// Statements over a list of ids, compiled once for a few lengths: shorter lists are padded with '', which is not an id.
// Callers split lists longer than `maxListLength` with `inLists`.
import type { Compilable, Kysely } from 'kysely';
import { defineStatement, type Statement } from '../contract/context/handle.ts';
import type { Tables } from '../contract/open.ts';
import { filledList } from './filled-list.ts';

/** The largest number of ids in one statement. */
export const maxListLength = 256;

/** A statement and its parameters, for `handle.run(...)` and `handle.all(...)`. */
export type BoundList<R> = [Statement<object, R>, object];

/** Binds ids and the other parameters. @throws RangeError for more than `maxListLength` ids */
export type ListStatement<P, R> = (ids: readonly string[], parameters: P) => BoundList<R>;

const slot = (index: number): string => `list_${index}`;

/** Declares a statement over a list; `ids` represents its members. */
export function defineListStatement<P extends object, R>(
  build: (db: Kysely<Tables>, p: P, ids: string[]) => Compilable<R>,
): ListStatement<P, R> {
  const statements = new Map<number, Statement<object, R>>();
  const ofLength = (length: number): Statement<object, R> => {
    const slots = Array.from({ length }, (_, index) => slot(index));
    return defineStatement((db, p: object) => {
      const allParameters = p as P & Readonly<Record<string, string>>;
      return build(
        db,
        allParameters,
        slots.map((name) => allParameters[name] as string),
      );
    });
  };
  return (ids, otherParameters) => {
    if (ids.length > maxListLength) throw new RangeError(`A list has at most ${maxListLength} ids, not ${ids.length}.`);
    // Padded with '', not with an id: some statements look up each member separately.
    const members = filledList(ids, '');
    const { length } = members;
    let statement = statements.get(length);
    if (statement === undefined) {
      statement = ofLength(length);
      statements.set(length, statement);
    }
    const values: Record<string, unknown> = { ...(otherParameters as object) };
    for (const [index, id] of members.entries()) values[slot(index)] = id;
    return [statement, values];
  };
}

/** Splits a list into lists that fit into one statement. */
export function inLists<T>(items: readonly T[]): (readonly T[])[] {
  const lists: (readonly T[])[] = [];
  for (let start = 0; start < items.length; start += maxListLength)
    lists.push(items.slice(start, start + maxListLength));
  return lists;
}

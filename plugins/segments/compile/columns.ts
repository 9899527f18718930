// The columns of the contact in a compiled statement.
import { type JsonFunctions, reference } from '../../../core/unstable.ts';

/** The alias of contacts in every compiled statement. */
export const contactAlias = 'person';

/** The values that the compilation of every condition needs. */
export interface Target {
  readonly json: JsonFunctions;
  readonly now: number;
}

/** A column of the contact. */
export const contactColumn = <T>(name: string) => reference<T>(`${contactAlias}.${name}`);

// Checks the names of the options that a factory takes: a misspelt one would be dropped in silence, and what it should have
// set would be missing much later. Called first by every adapter, host and plugin factory. Checks no value's form.
import { didYouMean } from './suggestion.ts';

/** `either`: one of the options of this kind is given. */
export type OptionNeed = 'required' | 'optional' | 'either';

/** Every name of the options `T`; of a union, those of all of its members. */
export type OptionNeeds<T> = Readonly<Record<T extends unknown ? keyof T & string : never, OptionNeed>>;

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** A variable of the environment that is not set is the usual reason. */
const emptiness = (given: object, name: string): string => {
  if (!Object.hasOwn(given, name)) return '';
  const value = (given as Readonly<Record<string, unknown>>)[name];
  return `, and it is ${value === '' ? 'empty' : String(value)}. Is a variable of the environment not set?`;
};

/**
 * Refuses options that the factory does not know, and names those that it needs.
 * @example checkOptions<FaxOptions>('acmeFax', options, { apiKey: 'required', timeoutMs: 'optional' });
 * @throws TypeError that names every fault
 */
export function checkOptions<T extends object>(factory: string, given: unknown, needs: OptionNeeds<T>): void {
  const names = Object.keys(needs);
  const of = (need: OptionNeed) =>
    names.filter((name) => (needs as Readonly<Record<string, OptionNeed>>)[name] === need);
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new TypeError(`${factory} takes an object of options: ${names.join(', ')}.`);
  }
  const values = given as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(given).filter((name) => !names.includes(name));
  const [required, either] = [of('required'), of('either')];
  const faults = [
    ...unknown.map((name) => {
      const known = names.length === 0 ? 'It takes none.' : `There are: ${names.join(', ')}.`;
      return `${factory} knows no option ${name}.${didYouMean(name, names)} ${known}`;
    }),
    ...required
      .filter((name) => !isGiven(values[name]))
      .map((name) => `${factory} needs the option ${name}${emptiness(given, name) || '.'}`),
    ...(either.length > 0 && !either.some((name) => isGiven(values[name]))
      ? [
          `${factory} needs one of the options ${either.join(', ')}${either.map((name) => emptiness(given, name)).find((text) => text !== '') ?? '.'}`,
        ]
      : []),
  ];
  if (faults.length > 0) throw new TypeError(faults.join('\n'));
}

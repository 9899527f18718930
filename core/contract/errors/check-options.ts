// Checks the names of the options of a factory. A misspelt option would be dropped silently, and the missing setting would be
// noticed much later. Called first by every adapter, host and plugin factory. Does not check the form of values.
import { didYouMean } from './suggestion.ts';

/** `either`: at least one of the options of this kind must be given. */
export type OptionNeed = 'required' | 'optional' | 'either';

/** Every name of the options `T`. If `T` is a union, the names of all its members. */
export type OptionNeeds<T> = Readonly<Record<T extends unknown ? keyof T & string : never, OptionNeed>>;

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** The end of the sentence if the option is given but empty. The usual reason is an environment variable that is not set. */
const emptiness = (options: object, name: string): string => {
  if (!Object.hasOwn(options, name)) return '';
  const value = (options as Readonly<Record<string, unknown>>)[name];
  return `, and it is ${value === '' ? 'empty' : String(value)}. Is a variable of the environment not set?`;
};

/**
 * Refuses unknown options and missing required options.
 * @example checkOptions<FaxOptions>('acmeFax', options, { apiKey: 'required', timeoutMs: 'optional' });
 * @throws TypeError that names every fault
 */
export function checkOptions<T extends object>(factory: string, value: unknown, needs: OptionNeeds<T>): void {
  const names = Object.keys(needs);
  const namesWith = (need: OptionNeed) =>
    names.filter((name) => (needs as Readonly<Record<string, OptionNeed>>)[name] === need);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError(`${factory} takes an object of options: ${names.join(', ')}.`);
  }
  const values = value as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(value).filter((name) => !names.includes(name));
  const [required, either] = [namesWith('required'), namesWith('either')];
  const faults = [
    ...unknown.map((name) => {
      const available = names.length === 0 ? 'It takes no options.' : `Available: ${names.join(', ')}.`;
      return `${factory} has no option ${name}.${didYouMean(name, names)} ${available}`;
    }),
    ...required
      .filter((name) => !isGiven(values[name]))
      .map((name) => `${factory} needs the option ${name}${emptiness(value, name) || '.'}`),
    ...(either.length > 0 && !either.some((name) => isGiven(values[name]))
      ? [
          `${factory} needs one of the options ${either.join(', ')}${either.map((name) => emptiness(value, name)).find((text) => text !== '') ?? '.'}`,
        ]
      : []),
  ];
  if (faults.length > 0) throw new TypeError(faults.join('\n'));
}

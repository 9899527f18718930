// Refuses unknown options of in-process calls. With a misspelt `trx`, mail would leave outside the caller's transaction; with a
// misspelt `sandbox`, it would really be sent. Runs with every call, so known names cost no allocation.
import { didYouMean } from '../contract/suggestion.ts';
import { validationFailed } from '../pipeline/validate.ts';

/** The options of one kind of call. */
export interface KnownOptions {
  /** The argument, at the beginning of a sentence. */
  readonly argument: string;
  readonly names: Readonly<Record<string, true>>;
  /** Options by other words for them that are not spelt alike. */
  readonly otherWords?: Readonly<Record<string, string>>;
}

/** Other words for the open transaction of the program. */
export const transactionWords = { transaction: 'trx', db: 'trx', client: 'trx', connection: 'trx' } as const;

function refusal({ argument, names, otherWords = {} }: KnownOptions, name: string): Error {
  const known = Object.keys(names);
  const other = Object.hasOwn(otherWords, name) ? otherWords[name] : undefined;
  const meant = other === undefined ? didYouMean(name, known) : ` Did you mean ${other}?`;
  const message = `${argument} has no option ${name}.${meant || ` There are: ${known.join(', ')}.`}`;
  return validationFailed([{ path: name, code: 'unknown_field', message }]);
}

/** @throws validation_failed if `given` is not an object, and for the first unknown option */
export function checkOptions(known: KnownOptions, given: unknown): void {
  if (typeof given !== 'object' || given === null) {
    const message = `${known.argument} must be an object with ${Object.keys(known.names).join(', ')}.`;
    throw validationFailed([{ path: '', code: 'invalid_type', message }]);
  }
  for (const name in given) if (!Object.hasOwn(known.names, name)) throw refusal(known, name);
}

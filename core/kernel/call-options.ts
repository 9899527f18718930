// Refuses unknown options of in-process calls. With a misspelt `trx`, mail would leave outside the caller's transaction; with a
// misspelt `sandbox`, it would really be sent. Runs with every call, so known names cost no allocation.
import { didYouMean } from '../contract/errors/suggestion.ts';
import { validationFailed } from '../pipeline/validate.ts';

/** The options of one kind of call. */
export interface KnownOptions {
  /** The argument, at the beginning of a sentence. */
  readonly argument: string;
  readonly names: Readonly<Record<string, true>>;
  /** Options by synonyms that are spelt differently. */
  readonly synonyms?: Readonly<Record<string, string>>;
}

/** Names that callers use by mistake for `trx`, the open transaction of the program. */
export const transactionSynonyms = { transaction: 'trx', db: 'trx', client: 'trx', connection: 'trx' } as const;

function refusal({ argument, names, synonyms = {} }: KnownOptions, name: string): Error {
  const optionNames = Object.keys(names);
  const suggested = Object.hasOwn(synonyms, name) ? synonyms[name] : undefined;
  const suggestion = suggested === undefined ? didYouMean(name, optionNames) : ` Did you mean ${suggested}?`;
  const message = `${argument} has no option ${name}.${suggestion || ` Available: ${optionNames.join(', ')}.`}`;
  return validationFailed([{ path: name, code: 'unknown_field', message }]);
}

/** Checks the names of a call's options. @throws validation_failed if `value` is not an object, and for the first unknown option */
export function checkOptions(known: KnownOptions, value: unknown): void {
  if (typeof value !== 'object' || value === null) {
    const message = `${known.argument} must be an object with ${Object.keys(known.names).join(', ')}.`;
    throw validationFailed([{ path: '', code: 'invalid_type', message }]);
  }
  for (const name in value) if (!Object.hasOwn(known.names, name)) throw refusal(known, name);
}

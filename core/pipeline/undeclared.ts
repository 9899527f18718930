// The mistake of a plugin that emits or enqueues what no composed plugin declares. Thrown by call-effects.ts; the test
// service (core/testing) recognises it by its words in the log, because callers only see `internal_error`.
import { didYouMean } from '../contract/suggestion.ts';

/** How the message of every such error begins. */
export const undeclaredWords = 'No composed plugin declares the ';

const listedIn = { event: 'events', job: 'jobs' } as const;

/** The error that names what is missing, and where it belongs. */
export const undeclared = (what: keyof typeof listedIn, given: string, known: Iterable<string>): Error =>
  new Error(
    `${undeclaredWords}${what} ${given}.${didYouMean(given, known)} Declare it, and list it under ${listedIn[what]} in definePlugin.`,
  );

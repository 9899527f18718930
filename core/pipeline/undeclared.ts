// The mistake of a plugin that emits or enqueues what no composed plugin, or its own operation, declares. Thrown by
// call-effects.ts; the test service (hosts/testing) recognises it by its words in the log, because callers only see
// `internal_error`.
import type { z } from 'zod';
import { didYouMean } from '../contract/suggestion.ts';

const nowhere = 'No composed plugin declares the ';
const notByOperation = 'The operation does not declare the event ';
const notAsDeclared = 'The data do not fit the declaration of the event ';

/** Whether the message is of such an error. */
export const isUndeclared = (message: string): boolean =>
  message.startsWith(nowhere) || message.startsWith(notByOperation) || message.startsWith(notAsDeclared);

const listedIn = { event: 'events', job: 'jobs' } as const;

/** The error that names what is missing, and where it belongs. */
export const undeclared = (what: keyof typeof listedIn, given: string, known: Iterable<string>): Error =>
  new Error(
    `${nowhere}${what} ${given}.${didYouMean(given, known)} Declare it, and list it under ${listedIn[what]} in definePlugin.`,
  );

/** The error of an operation that emits what its declaration does not name. */
export const undeclaredBy = (operation: string, type: string): Error =>
  new Error(`${notByOperation}${type}. List it under emits in the declaration of ${operation}.`);

/** The error of data that their event does not declare: paths and rules, never values. */
export const unlikeDeclared = (type: string, { issues }: z.ZodError): Error =>
  new Error(
    `${notAsDeclared}${type}: ${issues.map(({ path, message }) => `${path.join('.') || 'data'}: ${message}`).join('; ')}`,
  );

// The errors of a plugin that emits an event or enqueues a job that no composed plugin, or its own operation, declares. Thrown
// by call-effects.ts. The test service (hosts/testing) recognises them by their text in the log, because callers only see
// `internal_error`.
import type { z } from 'zod';
import { didYouMean } from '../contract/suggestion.ts';

const nowhere = 'No composed plugin declares the ';
const notByOperation = 'The operation does not declare the event ';
const notAsDeclared = 'The data do not fit the declaration of the event ';

/** Whether the message belongs to such an error. */
export const isUndeclared = (message: string): boolean =>
  message.startsWith(nowhere) || message.startsWith(notByOperation) || message.startsWith(notAsDeclared);

const listedIn = { event: 'events', job: 'jobs' } as const;

/** The error for an undeclared event or job: names it, and where to declare it. */
export const undeclared = (what: keyof typeof listedIn, given: string, known: Iterable<string>): Error =>
  new Error(
    `${nowhere}${what} ${given}.${didYouMean(given, known)} Declare it, and list it under ${listedIn[what]} in definePlugin.`,
  );

/** The error for an operation that emits an event that its declaration does not name. */
export const undeclaredBy = (operation: string, type: string): Error =>
  new Error(`${notByOperation}${type}. List it under emits in the declaration of ${operation}.`);

/** The error for data that do not match the declaration of their event: contains paths and rules, never values. */
export const unlikeDeclared = (type: string, { issues }: z.ZodError): Error =>
  new Error(
    `${notAsDeclared}${type}: ${issues.map(({ path, message }) => `${path.join('.') || 'data'}: ${message}`).join('; ')}`,
  );

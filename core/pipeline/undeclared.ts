// Errors for an event or a job that no composed plugin declares, for an event that the emitting operation does not list, and for
// data that do not match the event. Thrown by call-effects.ts. The test service (hosts/testing) recognises them by their text in
// the log, because callers only see `internal_error`.
import type { z } from 'zod';
import { didYouMean } from '../contract/errors/suggestion.ts';

const undeclaredPrefix = 'No composed plugin declares the ';
const notInOperationPrefix = 'The operation does not declare the event ';
const invalidDataPrefix = 'The data do not match the declaration of the event ';

/** Whether the message belongs to such an error. */
export const isUndeclared = (message: string): boolean =>
  message.startsWith(undeclaredPrefix) ||
  message.startsWith(notInOperationPrefix) ||
  message.startsWith(invalidDataPrefix);

const listedIn = { event: 'events', job: 'jobs' } as const;

/** The error for an undeclared event or job. It contains the name, and the field in which to declare it. */
export const undeclared = (kind: keyof typeof listedIn, name: string, known: Iterable<string>): Error =>
  new Error(
    `${undeclaredPrefix}${kind} ${name}.${didYouMean(name, known)} Declare it, and list it under ${listedIn[kind]} in definePlugin.`,
  );

/** The error for an operation that emits an event that its declaration does not name. */
export const undeclaredBy = (operation: string, type: string): Error =>
  new Error(`${notInOperationPrefix}${type}. List it under emits in the declaration of ${operation}.`);

/** The error for data that do not match the declaration of their event: contains paths and rules, never values. */
export const eventDataInvalid = (type: string, { issues }: z.ZodError): Error =>
  new Error(
    `${invalidDataPrefix}${type}: ${issues.map(({ path, message }) => `${path.join('.') || 'data'}: ${message}`).join('; ')}`,
  );

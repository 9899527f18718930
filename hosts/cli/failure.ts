// Converts a thrown error into the message for the user: one line on stderr with the solution, and the same as JSON. A stack is
// shown on request only. No secret is shown, because error messages contain none.

import { isPostriderError, missingPackageName } from '../../core/command-line.ts';
import type { ErrorDetail, PostriderError } from '../../core/index.ts';

/** The message of a failure. */
export interface Failure {
  readonly exitCode: 1 | 2;
  /** The line, without a prefix such as `Error:`. */
  readonly line: string;
  /** The lines below it, such as the faults of an input, one on each line. */
  readonly details: readonly string[];
  readonly json: {
    readonly error: {
      readonly code: string;
      readonly message: string;
      readonly request_id?: string;
      readonly details?: readonly ErrorDetail[];
    };
  };
  readonly stack: string | undefined;
}

const causesOf = function* (error: unknown): Generator<Error> {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 10; depth += 1) {
    yield cause;
    cause = cause.cause;
  }
};

function stackOf(error: unknown): string | undefined {
  const stacks = [...causesOf(error)].map(({ stack, message }) => stack ?? message);
  return stacks.length === 0 ? undefined : stacks.join('\nCaused by: ');
}

function failureOfRefusal({ code, message, requestId, details = [] }: PostriderError) {
  const id = requestId === undefined ? '' : ` [${requestId}]`;
  const shownDetails = details.map((detail) => `${detail.path}: ${detail.message}`);
  return {
    line: `${code}: ${message}${id}`,
    // The first line usually contains a single fault already.
    details: shownDetails.length === 1 && message.includes(details[0]?.message ?? '') ? [] : shownDetails,
    error: {
      code,
      message,
      ...(requestId === undefined ? {} : { request_id: requestId }),
      ...(details.length === 0 ? {} : { details }),
    },
  };
}

const oneLine = (text: string): string => text.trim().replace(/\s*\n\s*/g, ' ');

/** Describes an error for people and for programs. */
export function failureOf(error: unknown): Failure {
  const stack = stackOf(error);
  if (isPostriderError(error)) {
    const { line, details, error: refusal } = failureOfRefusal(error);
    return { exitCode: 1, line: oneLine(line), details, json: { error: refusal }, stack };
  }
  const isCommandError = error instanceof Error && error.name === 'CommandError';
  const exitCode = isCommandError && (error as { exitCode?: unknown }).exitCode === 2 ? 2 : 1;
  const missing = isCommandError ? undefined : missingPackageName(error);
  const message = error instanceof Error ? error.message : String(error);
  const [first = '', ...details] = isCommandError ? message.split('\n') : [oneLine(message)];
  const line = missing === undefined ? first : `This needs the package ${missing}: npm install ${missing}`;
  const code = exitCode === 2 ? 'usage' : isCommandError ? 'failed' : 'error';
  return {
    exitCode,
    line: line === '' ? 'Something failed and gave no reason. Run it again with --verbose.' : line,
    details,
    json: { error: { code, message: missing === undefined ? oneLine(message) : line } },
    stack,
  };
}

// The solution of an error. The first sentence of a description states when the error happens; the other sentences are
// the solution. If there is only one sentence, the solution of the error's family is used. Used by the page and by the
// generated docs/errors.md.
import type { ErrorInfo } from './document.ts';

const familySolutions: Readonly<Record<string, string>> = {
  validation_error: 'Correct the fields that the message and its details name.',
  authentication_error: 'Send a valid key.',
  permission_error: 'Use a key or a plan that allows it.',
  billing_error: 'Wait for the next month, or have the plan or the credits raised.',
  not_found_error: 'Check the id, and use a key of the same workspace and side.',
  conflict_error: 'Read the current state of the resource, then decide again.',
  rate_limit_exceeded: 'Wait for Retry-After seconds, then try again.',
  api_error: 'Try again, with the same Idempotency-Key: nothing happens twice.',
};

/** When an error happens, and its solution. */
export function solutionOf({ type, description }: ErrorInfo): { readonly meaning: string; readonly solution: string } {
  // A sentence ends before a space and a capital, so that `limits.maxBodyBytes` and `e.g. this` do not end a sentence.
  const end = description.search(/[.!?](?= +[A-Z])/);
  if (end === -1) return { meaning: description, solution: familySolutions[type] ?? 'See the message.' };
  return { meaning: description.slice(0, end + 1), solution: description.slice(end + 1).trim() };
}

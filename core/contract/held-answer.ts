// The 202 response of operations whose calls a policy can hold.

import type { SecondSuccess, SuccessNotice } from './second-success.ts';
import * as z from './zod.ts';

/** The approval request for which a call waits, as responses show it. */
const pendingRequest = z.object({
  requestId: z.string().describe('Prefix apr_. GET /v1/approvals/requests/{requestId} shows it.'),
  status: z.literal('pending'),
});

type Held<S extends z.ZodRawShape> = z.ZodObject<Omit<S, 'approval'> & { readonly approval: typeof pendingRequest }>;

/** An argument of calls that a policy can hold. It is stored with the approval request, and ignored if the call is not held. */
export const noteForReviewers = z
  .string()
  .trim()
  .max(2_000)
  .optional()
  .describe('For those who decide, where a policy holds the call.');

/** Returns what the call stores although it waits, such as `the post soc_1`; undefined if it stores nothing. */
export type StoredMeanwhile = (answer: Readonly<Record<string, unknown>>) => string | undefined;

const noticeOf = (stored: StoredMeanwhile): SuccessNotice => ({
  of(answer) {
    const { approval, ...rest } = z.looseObject({ approval: pendingRequest }).parse(answer);
    const { requestId } = approval;
    const what = stored(rest);
    const [state, again] =
      what === undefined
        ? ['Not carried out', 'the approval carries it out']
        : [`Stored ${what}, not published`, 'that would store another one'];
    return `${state}: it waits for approval ${requestId}. GET /v1/approvals/requests/${requestId} follows it. Do not call it again: ${again}. The following JSON shows how things stand until then.`;
  },
  wouldDo(answer, { cost, cause }) {
    const waits =
      stored(z.looseObject({}).parse(answer)) === undefined
        ? 'wait for an approval and not be carried out before'
        : 'be stored, and wait for an approval before anything is published';
    return `${waits}. ${cause === undefined ? 'It would' : `It would at once ${cause}, and`} once approved ${cost}`;
  },
});

/**
 * Makes the 202 of an operation with a surface: the operation's own response, and the approval request for which it waits.
 * Declare it as `alsoSucceeds`.
 * @param stored returns what the call stores although it waits (Default: nothing)
 */
export function heldAnswer<S extends z.ZodRawShape>(
  output: z.ZodObject<S>,
  stored: StoredMeanwhile = () => undefined,
): SecondSuccess<202, Held<S>> {
  const held = output.extend({ approval: pendingRequest }) as unknown as Held<S>;
  const id = output.meta()?.id;
  return {
    status: 202,
    output: id === undefined ? held : held.meta({ id: `${id}Held` }),
    description: 'A policy holds the call until people have decided; nothing has become public yet.',
    auditAction: 'approval.submit',
    notice: noticeOf(stored),
  };
}

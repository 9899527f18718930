// The 202 response of operations whose calls a policy can hold.

import * as z from '../schemas/zod.ts';
import type { SecondSuccess, SuccessNotice } from './second-success.ts';

/** The approval request for which a call waits, as responses show it. */
const pendingRequest = z.object({
  requestId: z.string().describe('Prefix apr_. GET /v1/approvals/requests/{requestId} shows it.'),
  status: z.literal('pending'),
});

type HeldOutput<S extends z.ZodRawShape> = z.ZodObject<
  Omit<S, 'approval'> & { readonly approval: typeof pendingRequest }
>;

/** An argument of calls that a policy can hold. It is stored with the approval request, and ignored if the call is not held. */
export const noteForReviewers = z
  .string()
  .trim()
  .max(2_000)
  .optional()
  .describe('For the reviewers, if a policy holds the call.');

/** Returns what the call stores although it waits, such as `the post soc_1`; undefined if it stores nothing. */
export type StoredWhileWaiting = (answer: Readonly<Record<string, unknown>>) => string | undefined;

const noticeOf = (stored: StoredWhileWaiting): SuccessNotice => ({
  of(answer) {
    const { approval, ...rest } = z.looseObject({ approval: pendingRequest }).parse(answer);
    const { requestId } = approval;
    const storedPart = stored(rest);
    const [state, reason] =
      storedPart === undefined
        ? ['Not carried out', 'it runs after the approval']
        : [`Stored ${storedPart}, not published`, 'a second call would store another one'];
    return `${state}: it waits for approval ${requestId}. Track it with GET /v1/approvals/requests/${requestId}. Do not repeat the call: ${reason}. The following JSON shows the state until then.`;
  },
  wouldDo(answer, { cost, cause }) {
    const waits =
      stored(z.looseObject({}).parse(answer)) === undefined
        ? 'wait for an approval, and run only after it'
        : 'be stored, and wait for an approval before anything is published';
    return `${waits}. ${cause === undefined ? '' : `It would immediately ${cause}. `}After the approval, it would ${cost}`;
  },
});

/**
 * Makes the 202 of an operation with a content kind: the operation's own response, and the approval request for which it waits.
 * Declare it as `secondSuccess`.
 * @param stored returns what the call stores although it waits (Default: nothing)
 */
export function heldResponse<S extends z.ZodRawShape>(
  output: z.ZodObject<S>,
  stored: StoredWhileWaiting = () => undefined,
): SecondSuccess<202, HeldOutput<S>> {
  const held = output.extend({ approval: pendingRequest }) as unknown as HeldOutput<S>;
  const id = output.meta()?.id;
  return {
    status: 202,
    output: id === undefined ? held : held.meta({ id: `${id}Held` }),
    description: 'A policy holds the call until people have decided; nothing has become public yet.',
    auditAction: 'approval.submit',
    notice: noticeOf(stored),
  };
}

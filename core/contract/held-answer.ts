// The 202 of operations that a policy can hold.

import type { SecondSuccess, SuccessNotice } from './second-success.ts';
import * as z from './zod.ts';

/** The request that something waits for, as resources show it. */
const pendingRequest = z.object({
  requestId: z.string().describe('Prefix apr_. GET /v1/approvals/requests/{requestId} shows it.'),
  status: z.literal('pending'),
});

type Held<S extends z.ZodRawShape> = z.ZodObject<Omit<S, 'approval'> & { readonly approval: typeof pendingRequest }>;

/** An argument of calls that a policy can hold: kept with the request, and ignored where nothing is held. */
export const noteForReviewers = z
  .string()
  .trim()
  .max(2_000)
  .optional()
  .describe('For those who decide, where a policy holds the call.');

/** What the call stores although it waits, as `the post soc_1`; undefined where it stores nothing. */
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
 * The 202 of an operation with a surface: its own answer, and the request that it waits for. Declare it as `alsoSucceeds`.
 * @param stored what the call stores although it waits (Default: nothing)
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

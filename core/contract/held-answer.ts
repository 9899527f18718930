// The 202 of operations that a policy can hold.

import type { SecondSuccess, SuccessNotice } from './second-success.ts';
import * as z from './zod.ts';

/** The request that something waits for, as resources show it. */
const pendingRequest = z.object({
  requestId: z.string().describe('Prefix apr_. GET /v1/approvals/requests/{requestId} shows it.'),
  status: z.literal('pending'),
});

type Held<S extends z.ZodRawShape> = z.ZodObject<Omit<S, 'approval'> & { readonly approval: typeof pendingRequest }>;

const notice: SuccessNotice = {
  of(answer) {
    const { requestId } = z.object({ approval: pendingRequest }).parse(answer).approval;
    return `Not carried out: it waits for approval ${requestId}. GET /v1/approvals/requests/${requestId} follows it. The following JSON shows how things stand until then.`;
  },
  wouldDo: 'not be carried out at once: it would wait for an approval, and once approved',
};

/** The 202 of an operation with a surface: its own answer, and the request that it waits for. Declare it as `alsoSucceeds`. */
export function heldAnswer<S extends z.ZodRawShape>(output: z.ZodObject<S>): SecondSuccess<202, Held<S>> {
  const held = output.extend({ approval: pendingRequest }) as unknown as Held<S>;
  const id = output.meta()?.id;
  return {
    status: 202,
    output: id === undefined ? held : held.meta({ id: `${id}Held` }),
    description: 'A policy holds the call until people have decided; nothing has become public yet.',
    auditAction: 'approval.submit',
    notice,
  };
}

// The error envelope, the same bytes on every door. Called by rest.ts and the tool endpoint.
import type { ErrorEnvelope, PostriderError } from '../contract/errors.ts';
import { refusalOf } from '../pipeline/refusals.ts';

/** Anything thrown as a refusal; what is no PostriderError becomes one and keeps its cause. */
export function toRefusal(error: unknown, requestId: string): PostriderError {
  const refusal = refusalOf(error);
  refusal.requestId = requestId;
  return refusal;
}

/** The JSON envelope of a refusal. */
export function errorEnvelope(refusal: PostriderError, requestId: string): ErrorEnvelope {
  return {
    error: {
      type: refusal.type,
      code: refusal.code,
      message: refusal.message,
      request_id: requestId,
      ...(refusal.retryAfterSeconds === undefined ? {} : { retry_after_seconds: refusal.retryAfterSeconds }),
      ...(refusal.details === undefined ? {} : { details: refusal.details }),
    },
  };
}

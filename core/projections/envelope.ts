// The error envelope, the same bytes on every door. Called by rest.ts and the tool endpoint.
import { coreErrors } from '../contract/core-errors.ts';
import type { ErrorEnvelope, PostriderError } from '../contract/errors.ts';
import { isPostriderError } from '../contract/errors.ts';

/** Anything thrown as a refusal; what is no PostriderError becomes internal_error and keeps its cause. */
export function toRefusal(error: unknown, requestId: string): PostriderError {
  const refusal = isPostriderError(error) ? error : coreErrors.internal_error({ cause: error });
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

// The error envelope, the same bytes on every door. Called by rest.ts and the tool endpoint.
import type { ErrorDetail, ErrorEnvelope, PostriderError } from '../contract/errors.ts';
import { refusalOf } from '../pipeline/refusals.ts';

/** Anything thrown as a refusal; what is no PostriderError becomes one and keeps its cause. */
export function toRefusal(error: unknown, requestId: string): PostriderError {
  const refusal = refusalOf(error);
  refusal.requestId = requestId;
  return refusal;
}

/** Faults of one answer, and characters of each text: both may repeat what the caller wrote, many times over. */
const [maxDetails, maxLength] = [50, 1_000];

const cut = (text: string): string => (text.length > maxLength ? `${text.slice(0, maxLength)}…` : text);

const shownDetails = (details: readonly ErrorDetail[]): ErrorDetail[] =>
  details.slice(0, maxDetails).map(({ path, code, message }) => ({ path: cut(path), code, message: cut(message) }));

/** The JSON envelope of a refusal, of a bounded size. */
export function errorEnvelope(refusal: PostriderError, requestId: string): ErrorEnvelope {
  return {
    error: {
      type: refusal.type,
      code: refusal.code,
      message: cut(refusal.message),
      request_id: requestId,
      ...(refusal.retryAfterSeconds === undefined ? {} : { retry_after_seconds: refusal.retryAfterSeconds }),
      ...(refusal.details === undefined ? {} : { details: shownDetails(refusal.details) }),
    },
  };
}

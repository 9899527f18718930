// The error envelope, the same bytes for REST and MCP. Called by rest.ts and the MCP endpoint.

import type { ErrorDetail, ErrorEnvelope, PostriderError } from '../contract/errors/errors.ts';
import { beginning } from '../contract/values/shorten.ts';
import { refusalOf } from '../pipeline/refusals.ts';

/** Any thrown value as a refusal. An error other than PostriderError becomes the cause of a refusal. */
export function toRefusal(error: unknown, requestId: string): PostriderError {
  const refusal = refusalOf(error);
  refusal.requestId = requestId;
  return refusal;
}

/** The largest number of details, and of characters in each text: both may repeat the caller's input. */
const [maxDetails, maxLength] = [50, 1_000];

const shortenText = (text: string): string => (text.length > maxLength ? `${beginning(text, maxLength)}…` : text);

const boundedDetails = (details: readonly ErrorDetail[]): ErrorDetail[] =>
  details
    .slice(0, maxDetails)
    .map(({ path, code, message }) => ({ path: shortenText(path), code, message: shortenText(message) }));

/** The JSON envelope of a refusal, of a bounded size. */
export function errorEnvelope(refusal: PostriderError, requestId: string): ErrorEnvelope {
  return {
    error: {
      type: refusal.type,
      code: refusal.code,
      message: shortenText(refusal.message),
      request_id: requestId,
      ...(refusal.retryAfterSeconds === undefined ? {} : { retry_after_seconds: refusal.retryAfterSeconds }),
      ...(refusal.details === undefined ? {} : { details: boundedDetails(refusal.details) }),
    },
  };
}

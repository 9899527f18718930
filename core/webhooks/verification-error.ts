// The error of a refused delivery. Thrown by verify.ts.

/** The check that failed. */
export type WebhookVerificationReason =
  | 'header_missing'
  | 'timestamp_malformed'
  | 'timestamp_too_old'
  | 'timestamp_in_future'
  | 'signature_malformed'
  | 'version_unknown'
  | 'signature_mismatch'
  | 'body_missing'
  | 'body_parsed'
  | 'body_malformed'
  | 'secret_malformed';

/** Thrown for a delivery without a valid signature; answer 400 or 401. */
export class WebhookVerificationError extends Error {
  readonly reason: WebhookVerificationReason;
  constructor(reason: WebhookVerificationReason, message: string) {
    super(message);
    this.name = 'WebhookVerificationError';
    this.reason = reason;
  }
}

/** Whether a thrown value is a WebhookVerificationError, with this reason if one is given. */
export function isWebhookVerificationError(
  error: unknown,
  reason?: WebhookVerificationReason,
): error is WebhookVerificationError {
  const verificationError = error as Partial<WebhookVerificationError> | null | undefined;
  return (
    verificationError?.name === 'WebhookVerificationError' &&
    (reason === undefined || verificationError.reason === reason)
  );
}

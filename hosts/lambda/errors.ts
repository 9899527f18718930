// The errors that a function throws. Lambda logs them, and sends events that failed to the queue for failures. Used by the files
// of this host.

/** The kind of a fault. */
export type LambdaHostFault =
  | 'storage_not_shared'
  | 'streaming_unavailable'
  | 'option_invalid'
  | 'event_unknown'
  | 'event_invalid'
  | 'action_unknown'
  | 'action_failed'
  | 'message_refused';

/** A fault of the function or of its event. `code` is its kind; the message contains the solution. */
export class LambdaHostError extends Error {
  override readonly name = 'LambdaHostError';
  readonly code: LambdaHostFault;

  constructor(code: LambdaHostFault, message: string, options?: { readonly cause?: unknown }) {
    super(`${code}: ${message}`, options);
    this.code = code;
  }
}

// The error of social adapters. Its fault says what is known about the effect of a failed request.

/**
 * `transient`: nothing was sent, or nothing took effect; the service tries again. `uncertain`: the request was sent and no response came,
 * so it may have taken effect; the service first looks the post up at the network. `rejected`: refused permanently. `limited`: refused until a time.
 * `disconnected`: the network refuses the credentials.
 */
export type SocialFault = 'transient' | 'uncertain' | 'rejected' | 'limited' | 'disconnected';

/** Details of a SocialError. */
export interface SocialErrorOptions {
  readonly cause?: unknown;
  /** The network's own code. */
  readonly code?: string | undefined;
  /** Until when the network refuses, in milliseconds since the epoch. Only with `limited`. */
  readonly until?: number | undefined;
  /**
   * The problem of the post that explains the refusal, such as `media_too_large` or `setting_invalid`. Only with `rejected`. (Default:
   * none)
   */
  readonly problem?: string | undefined;
  /** Whether the credentials are expired or revoked. Only with `disconnected`. (Default: revoked) */
  readonly credentials?: 'expired' | 'revoked' | undefined;
}

/**
 * The only error that an adapter throws; any other error counts as `uncertain`. The message is the network's own, or says in a
 * sentence what went wrong; it contains no credentials.
 */
export class SocialError extends Error {
  readonly fault: SocialFault;
  readonly code: string | undefined;
  readonly until: number | undefined;
  readonly problem: string | undefined;
  readonly credentials: 'expired' | 'revoked' | undefined;

  constructor(fault: SocialFault, message: string, options: SocialErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = 'SocialError';
    this.fault = fault;
    this.code = options.code;
    this.until = options.until;
    this.problem = options.problem;
    this.credentials = fault === 'disconnected' ? (options.credentials ?? 'revoked') : undefined;
  }
}

/** Whether `error` is a SocialError. Compares the name, so that it works with two copies of the package. */
export const isSocialError = (error: unknown): error is SocialError =>
  error instanceof Error && error.name === 'SocialError';

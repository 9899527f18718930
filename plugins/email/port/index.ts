// postrider/plugins/email/port, the mail port: what hands a finished message to a provider. Called by the delivery job,
// outside any transaction. An adapter validates nothing about consent or suppression: that happened before.
import type { Outgoing } from '../../../core/index.ts';
import type { BounceDetails } from './bounce.ts';

export type { BounceDetails } from './bounce.ts';
export type { MailReport, MailReports, ReportedClient, ReportedFact, ReportRequest } from './reports.ts';
export { isReportRefused, ReportRefused } from './reports.ts';
export { isForbiddenOnWire, isReservedHeader } from './reserved-headers.ts';

/** A mailbox: an address and a display name. Passed as an object so that no header syntax is parsed. */
export interface Mailbox {
  readonly email: string;
  readonly name?: string;
}

/** A decoded attachment. `contentId` is set on inline parts and referenced as `cid:<contentId>`. */
export interface MailAttachment {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Uint8Array;
  readonly inline: boolean;
  readonly contentId?: string;
}

/** Text of a template without placeholders, and where in the rendered part it stood. */
export interface FixedText {
  readonly at: number;
  readonly text: string;
}

/** A rendered message, ready to be put on the wire. */
export interface OutgoingMail {
  /** Stable over all tries: `<snd_…@domain>`, with the angle brackets. */
  readonly messageId: string;
  readonly from: Mailbox;
  readonly to: Mailbox;
  readonly replyTo?: Mailbox;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  /** Extra headers, checked and stripped already. */
  readonly headers: Readonly<Record<string, string>>;
  readonly attachments: readonly MailAttachment[];
  readonly date: Date;
  /**
   * What `html` and `text` have in common with other mails of their template, in order: an adapter may encode it once. It
   * may stand elsewhere by now, or be gone. (Default: not known)
   */
  readonly fixed?: { readonly html: readonly FixedText[]; readonly text: readonly FixedText[] };
}

/** A DKIM key (RFC 6376). */
export interface DkimKey {
  /** d=, such as example.com. */
  readonly domain: string;
  /** s=, the label before `._domainkey`. */
  readonly selector: string;
  /** PEM. Not kept, logged or thrown. */
  readonly privateKey: string;
}

/** Options of one hand-over. */
export interface MailSendOptions {
  /** Ends the attempt; the adapter closes its connection. */
  readonly signal: AbortSignal;
  /** The send's id: the provider's idempotency key where it takes one. */
  readonly idempotencyKey: string;
  readonly workspaceId: string;
  readonly sandbox: boolean;
  /** For providers with an HTTP API: requests with a time limit, to public addresses only. */
  readonly outgoing: Outgoing;
  /**
   * Signs the message, where the adapter writes the message itself; providers that write it sign with keys of their own.
   * (Default: the adapter's own key, if it has one)
   */
  readonly dkim?: DkimKey;
}

/** The provider took responsibility for the message. */
export interface MailReceipt {
  /** The provider's own id or final answer line, at most 500 characters. */
  readonly providerMessageId?: string;
  readonly response?: string;
  /** The adapter that handed the message over, where it is not the one that was called. (Default: its `id`) */
  readonly provider?: string;
}

/**
 * Why a hand-over failed. `transient`: try again; `bounced`: the recipient was refused; `rejected`: the message or
 * the sender was refused for good. An error that stems from a server's answer has `bounce` for every fault
 * (class `soft` when transient, never `hard` unless bounced); connection errors and the adapter's own refusals have none.
 */
export type MailFault = 'transient' | 'bounced' | 'rejected';

/** What is known beside the fault. */
export interface MailErrorOptions {
  readonly cause?: unknown;
  readonly bounce?: BounceDetails;
  readonly smtpCode?: number;
  readonly enhancedCode?: string;
  /**
   * The provider was not reached, or refused its service, whatever the message is: it has certainly not taken it, and
   * another provider may. (Default: false)
   */
  readonly unavailable?: boolean;
  /** How long the provider asks to wait, in milliseconds. (Default: it does not say) */
  readonly retryAfterMs?: number;
  /** The provider refuses the key or the login itself, whatever is sent. (Default: false) */
  readonly credentialsRefused?: boolean;
}

/** The only error that `MailAdapter.send` may throw; anything else counts as transient. */
export class MailError extends Error {
  readonly fault: MailFault;
  readonly bounce: BounceDetails | undefined;
  readonly smtpCode: number | undefined;
  readonly enhancedCode: string | undefined;
  readonly unavailable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly credentialsRefused: boolean;

  constructor(fault: MailFault, message: string, options: MailErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = 'MailError';
    this.fault = fault;
    this.bounce = options.bounce;
    this.smtpCode = options.smtpCode;
    this.enhancedCode = options.enhancedCode;
    this.unavailable = options.unavailable ?? false;
    this.retryAfterMs = options.retryAfterMs;
    this.credentialsRefused = options.credentialsRefused ?? false;
  }
}

/** Whether `error` is a MailError (by name, so that two copies of the package agree). */
export function isMailError(error: unknown): error is MailError {
  return error instanceof Error && error.name === 'MailError';
}

/**
 * Whether the provider has certainly not taken the message: it refused, or was never reached. After a broken connection
 * or a time limit that is unknown.
 */
export function isNotTaken(error: unknown): boolean {
  if (isMailError(error) && (error.unavailable || error.smtpCode !== undefined)) return true;
  // Node's error names the system call that failed.
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { syscall } = cause as NodeJS.ErrnoException;
    if (syscall === 'connect' || syscall === 'getaddrinfo') return true;
  }
  return false;
}

/** What an adapter can do. */
export interface MailCapabilities {
  /** The provider suppresses repeats with one idempotency key. */
  readonly idempotent: boolean;
  /** Keeps messages readable in this process (`messages()`), for development and tests. */
  readonly captures: boolean;
}

/** A captured message, as `capture` keeps it. */
export interface CapturedMail extends OutgoingMail {
  readonly workspaceId: string;
  readonly sandbox: boolean;
  readonly capturedAt: Date;
}

/** A mail provider. Constructing one does nothing: no network, no timer. */
export interface MailAdapter {
  readonly id: string;
  readonly capabilities: MailCapabilities;
  /**
   * Extra headers by which callers could command this provider, beside those that no adapter takes: names, or starts of
   * names with a `*`, such as `X-Acme-*`. They are stripped from sends. (Default: none)
   */
  readonly reservedHeaders?: readonly string[];
  /** Hands one message over; resolves when the provider accepted it. @throws MailError */
  send(mail: OutgoingMail, options: MailSendOptions): Promise<MailReceipt>;
  /**
   * Checks that the provider answers and accepts the credentials, within `signal`. Sends nothing. @throws MailError
   */
  verify?(signal: AbortSignal, ports: Pick<MailSendOptions, 'outgoing'>): Promise<void>;
  /** Waits for hand-overs in flight and closes connections. */
  close(): Promise<void>;
}

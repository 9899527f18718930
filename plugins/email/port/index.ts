// postrider/plugins/email/port, the mail port: an adapter hands a finished message to a provider. The delivery job calls it outside
// any transaction. An adapter does not check consent or suppressions: the service has already checked them.
import type { Outgoing } from '../../../core/index.ts';
import type { BounceDetails } from './bounce.ts';

export { type BounceDetails, isGreylisting } from './bounce.ts';
export type {
  MailReport,
  MailReports,
  NothingReported,
  ReadMail,
  ReportedClient,
  ReportedFact,
  ReportRequest,
} from './reports.ts';
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

/** Template text without placeholders, and its position in the rendered part. */
export interface FixedText {
  readonly at: number;
  readonly text: string;
}

/** A rendered message, ready to be put on the wire. */
export interface OutgoingMail {
  /** The same for all attempts: `<snd_…@domain>`, with the angle brackets. */
  readonly messageId: string;
  readonly from: Mailbox;
  readonly to: Mailbox;
  /**
   * The address to which servers send reports about this message: the MAIL FROM of SMTP. An adapter ignores this address if its provider does
   * not let callers set it. (Default: the address of `from`)
   */
  readonly returnPath?: string;
  readonly replyTo?: Mailbox;
  readonly subject: string;
  readonly html: string;
  readonly text: string;
  /** Extra headers, already checked and stripped. */
  readonly headers: Readonly<Record<string, string>>;
  readonly attachments: readonly MailAttachment[];
  readonly date: Date;
  /**
   * The parts of `html` and `text` that other mails of the same template share, in order. An adapter may encode them once. A part
   * may have moved or disappeared since. (Default: not known)
   */
  readonly fixed?: { readonly html: readonly FixedText[]; readonly text: readonly FixedText[] };
}

/** A DKIM key (RFC 6376). */
export interface DkimKey {
  /** d=, such as example.com. */
  readonly domain: string;
  /** s=, the label before `._domainkey`. */
  readonly selector: string;
  /** PEM. Must not be stored, logged or thrown. */
  readonly privateKey: string;
}

/** Options of one hand-over. */
export interface MailSendOptions {
  /** Aborts the attempt. The adapter then closes its connection. */
  readonly signal: AbortSignal;
  /** The send's id. Use it as the provider's idempotency key if the provider supports one. */
  readonly idempotencyKey: string;
  readonly workspaceId: string;
  readonly sandbox: boolean;
  /** Whether messages that wait for a connection should let this one go first: a login code, for example. (Default: false) */
  readonly urgent?: boolean;
  /** For providers with an HTTP API: makes requests with a time limit, to public addresses only. */
  readonly outgoing: Outgoing;
  /**
   * Signs the message if the adapter composes the message itself. Providers that compose it sign with their own keys.
   * (Default: the adapter's own key, if it has one)
   */
  readonly dkim?: DkimKey;
}

/** Confirms that the provider took responsibility for the message. */
export interface MailReceipt {
  /** The provider's own id or final response line, at most 500 characters. */
  readonly providerMessageId?: string;
  readonly response?: string;
  /** The adapter that handed the message over, if it is not the adapter that was called. (Default: the called adapter's `id`) */
  readonly provider?: string;
}

/**
 * The kind of a failed hand-over. `transient`: retry; `bounced`: the recipient was refused; `rejected`: the message or the sender was refused
 * permanently. An error from a server's response has `bounce` for every fault (class `soft` if transient, `hard` only if bounced).
 * Connection errors and the adapter's own refusals do not have `bounce`.
 */
export type MailFault = 'transient' | 'bounced' | 'rejected';

/** Details of a MailError in addition to the fault. */
export interface MailErrorOptions {
  readonly cause?: unknown;
  readonly bounce?: BounceDetails;
  readonly smtpCode?: number;
  readonly enhancedCode?: string;
  /**
   * The provider was not reached, or refused service for any message. It has certainly not accepted this message, and another
   * provider may. (Default: false)
   */
  readonly unavailable?: boolean;
  /** The time for which the provider asks to wait, in milliseconds. (Default: the provider does not specify it) */
  readonly retryAfterMs?: number;
  /** The provider refuses the key or the login itself, for any message. (Default: false) */
  readonly credentialsRefused?: boolean;
}

/** The only error that `MailAdapter.send` may throw. Any other error counts as transient. */
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

/** Whether `error` is a MailError. Compares the name, so that it works with two copies of the package. */
export function isMailError(error: unknown): error is MailError {
  return error instanceof Error && error.name === 'MailError';
}

/**
 * Whether the provider has certainly not accepted the message: it refused, or was never reached. After a broken connection
 * or a timeout, that is unknown.
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

/** The features of an adapter. */
export interface MailCapabilities {
  /** The provider ignores repeated requests with the same idempotency key. */
  readonly idempotent: boolean;
  /** Keeps messages readable in this process (`messages()`), for development and tests. */
  readonly captures: boolean;
}

/** A captured message, as `capture` stores it. */
export interface CapturedMail extends OutgoingMail {
  readonly workspaceId: string;
  readonly sandbox: boolean;
  readonly capturedAt: Date;
}

/** A mail provider. The constructor has no side effects: no network, no timer. */
export interface MailAdapter {
  readonly id: string;
  readonly capabilities: MailCapabilities;
  /**
   * Extra headers with which callers could control this provider, in addition to the headers that every adapter refuses: names, or
   * prefixes of names with a `*`, such as `X-Acme-*`. They are stripped from sends. (Default: none)
   */
  readonly reservedHeaders?: readonly string[];
  /** Hands one message over. Resolves when the provider has accepted it. @throws MailError */
  send(mail: OutgoingMail, options: MailSendOptions): Promise<MailReceipt>;
  /**
   * Checks that the provider responds and accepts the credentials, within `signal`. Does not send a message. @throws MailError
   */
  verify?(signal: AbortSignal, ports: Pick<MailSendOptions, 'outgoing'>): Promise<void>;
  /** Waits for hand-overs in flight and closes connections. */
  close(): Promise<void>;
}

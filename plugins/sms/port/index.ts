// postrider/plugins/sms/port, the SMS port: an adapter hands a finished text to a carrier's API, and reads that API's reports. Called
// by the delivery job and by the public route, outside any transaction. An adapter does not make decisions about consent.
import type { Outgoing } from '../../../core/index.ts';
import type { SmsReason } from './reason.ts';
import type { SmsReports } from './reports.ts';

export type { SmsReason } from './reason.ts';
export type { SmsReport, SmsReportRequest, SmsReports } from './reports.ts';
export { isSmsReportRefused, SmsReportRefused } from './reports.ts';

/** A text that is ready to be handed over. */
export interface OutgoingSms {
  /** E.164. */
  readonly to: string;
  readonly body: string;
  /** A number, a name or a service of the provider. (Default: the adapter's own `sender`) */
  readonly from?: string | undefined;
  /** The URL for the provider's reports about the message; undefined if the service cannot be reached from outside. */
  readonly callbackUrl?: string | undefined;
  /** The time for which the provider may keep trying, in seconds: a code is useless an hour later. (Default: the provider's own limit) */
  readonly validForSeconds?: number | undefined;
}

/** Options of one hand-over. */
export interface SmsSendOptions {
  /** Aborts the attempt. */
  readonly signal: AbortSignal;
  /** The id of the SMS. Use it as the provider's own reference if the provider supports one. */
  readonly idempotencyKey: string;
  readonly workspaceId: string;
  /** Makes requests with a time limit, to public addresses only. */
  readonly outgoing: Outgoing;
}

/** Confirms that the provider accepted the message. */
export interface SmsReceipt {
  /** At most 200 characters. */
  readonly providerMessageId?: string | undefined;
  /** The number or service that the message was sent from, as inbound messages name it. */
  readonly sender?: string | undefined;
}

/**
 * The kind of a failed hand-over. `busy`: certainly not accepted, retry. `refused`: certainly not accepted, permanently. `unknown`: the message
 * may have been accepted, and is never retried.
 */
export type SmsFault = 'busy' | 'refused' | 'unknown';

/** Details of an SmsError besides the fault and the message. */
export interface SmsErrorOptions {
  readonly cause?: unknown;
  /** (Default: unknown) */
  readonly reason?: SmsReason;
  /** The provider's own code. */
  readonly code?: string | undefined;
  /** The time for which the provider asks to wait, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** Whether the provider refused the credentials. (Default: false) */
  readonly unauthorised?: boolean;
}

/** The only error that `SmsAdapter.send` may throw. Any other error counts as `unknown`. */
export class SmsError extends Error {
  readonly fault: SmsFault;
  readonly reason: SmsReason;
  readonly code: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly unauthorised: boolean;

  constructor(fault: SmsFault, message: string, options: SmsErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = 'SmsError';
    this.fault = fault;
    this.reason = options.reason ?? 'unknown';
    this.code = options.code;
    this.retryAfterMs = options.retryAfterMs;
    this.unauthorised = options.unauthorised ?? false;
  }
}

/** Whether `error` is an SmsError. Compares the name, so that it works with two copies of the package. */
export const isSmsError = (error: unknown): error is SmsError => error instanceof Error && error.name === 'SmsError';

/** The features of an adapter. */
export interface SmsCapabilities {
  /** Keeps messages readable in this process, for development and tests. No message reaches a phone. */
  readonly captures: boolean;
}

/** A message as a capturing adapter stores it. */
export interface CapturedSms extends OutgoingSms {
  readonly id: string;
  readonly workspaceId: string;
  readonly capturedAt: Date;
}

/** A provider of SMS. The constructor has no side effects: no network, no timer. */
export interface SmsAdapter {
  /** The provider's id, which is also the last segment of the URL for its reports: `twilio` for /inbound/sms/twilio. */
  readonly id: string;
  readonly capabilities: SmsCapabilities;
  /** The sender if a workspace does not set one: an E.164 number, a name, or the provider's id of a service. */
  readonly sender?: string | undefined;
  /** Hands one message over. Resolves when the provider has accepted it. Never repeats a request. @throws SmsError */
  send(sms: OutgoingSms, options: SmsSendOptions): Promise<SmsReceipt>;
  /** Reads the provider's reports and inbound messages, with the same credentials. (Default: the provider sends none) */
  readonly reports?: SmsReports | undefined;
  /** Waits for hand-overs in flight. */
  close(): Promise<void>;
}

// postrider/plugins/sms/port, the port of a provider's reports: what checks its signature and translates what it says. Called by
// the public route POST /inbound/sms/{provider}. It decides nothing about messages.
import type { SmsReason } from './reason.ts';

/** A request of a provider, as it arrived. */
export interface SmsReportRequest {
  /** With lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The exact bytes. */
  readonly body: Uint8Array;
  /** The URL that the provider called, by the service's public URL: a proxy may have changed host and scheme. */
  readonly url: string;
  /** The present time, in milliseconds since the epoch. */
  readonly now: number;
}

/** What a provider says. */
export type SmsReport =
  | {
      readonly kind: 'status';
      /** As `send` answered it. A report without it and without our own id names no message: it is logged and left out. */
      readonly providerMessageId: string;
      /** The id of the SMS, where the provider repeats it. (Default: `sms` in the URL; without it, the SMS with this `providerMessageId`) */
      readonly smsId?: string | undefined;
      readonly status: 'sent' | 'delivered' | 'undelivered' | 'failed';
      readonly reason?: SmsReason | undefined;
      /** The provider's own code. */
      readonly code?: string | undefined;
    }
  | {
      readonly kind: 'inbound';
      /** E.164. */
      readonly from: string;
      /** The names of what it was sent to: number, service. */
      readonly to: readonly string[];
      readonly text: string;
      /** What the provider found that the recipient asks for, by keywords of its own. (Default: what the text says) */
      readonly asks?: 'stop' | 'start' | 'help' | undefined;
      /** The provider has answered the keyword itself. */
      readonly answered: boolean;
    };

/** The request is not signed by the provider: it is answered with 401. */
export class SmsReportRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SmsReportRefused';
  }
}

/** Whether `error` is an SmsReportRefused (by name, so that two copies of the package agree). */
export const isSmsReportRefused = (error: unknown): error is SmsReportRefused =>
  error instanceof Error && error.name === 'SmsReportRefused';

/** Reads the reports of one account with a provider. */
export interface SmsReports {
  /** @throws SmsReportRefused for a request that the provider did not sign */
  read(request: SmsReportRequest): Promise<readonly SmsReport[]>;
  /**
   * The body of the answer to an inbound message, with a text to send back; undefined for none. For providers that take
   * replies so. (Default: an empty answer)
   */
  answer?(reply: string | undefined): { readonly contentType: string; readonly body: string };
}

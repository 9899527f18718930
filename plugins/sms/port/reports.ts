// postrider/plugins/sms/port, the port of a provider's reports: checks the signature and translates the reports. Called by the public
// route POST /inbound/sms/{provider}. It does not make decisions about messages.
import type { SmsReason } from './reason.ts';

/** A request of a provider, as it arrived. */
export interface SmsReportRequest {
  /** With lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The exact bytes of the body. */
  readonly body: Uint8Array;
  /** The URL that the provider called, built from the service's public URL, because a proxy may have changed host and scheme. */
  readonly url: string;
  /** The current time, in milliseconds since the epoch. */
  readonly now: number;
}

/** A report of a provider. */
export type SmsReport =
  | {
      readonly kind: 'status';
      /** The id that `send` returned. A report with neither this id nor our own does not identify a message: it is logged and dropped. */
      readonly providerMessageId: string;
      /** The id of the SMS, if the provider repeats it. (Default: `sms` in the URL; without it, the SMS with this `providerMessageId`) */
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
      /** The ids by which the provider names the receiver: its number, its messaging service. */
      readonly to: readonly string[];
      readonly text: string;
      /** The request of the recipient, by the provider's own keywords. (Default: determined from the text) */
      readonly asks?: 'stop' | 'start' | 'help' | undefined;
      /** Whether the provider has already replied to the keyword itself. */
      readonly answered: boolean;
    };

/** The request is not signed by the provider. The response is 401. */
export class SmsReportRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SmsReportRefused';
  }
}

/** Whether `error` is an SmsReportRefused. Compares the name, so that it works with two copies of the package. */
export const isSmsReportRefused = (error: unknown): error is SmsReportRefused =>
  error instanceof Error && error.name === 'SmsReportRefused';

/** Reads the reports of one account at a provider. */
export interface SmsReports {
  /** @throws SmsReportRefused if the provider did not sign the request */
  read(request: SmsReportRequest): Promise<readonly SmsReport[]>;
  /**
   * The body of the response to an inbound message, for providers that accept replies in the response. `reply` is the text to send back,
   * or undefined for none. (Default: an empty response)
   */
  inboundResponse?(reply: string | undefined): { readonly contentType: string; readonly body: string };
}

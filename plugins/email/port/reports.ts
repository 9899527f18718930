// postrider/plugins/email/port, the port of provider reports: checks a provider's signature and translates its reports about sent
// messages. Called by the public route POST /inbound/mail/{provider}. It does not make decisions about sends.
import type { Outgoing } from '../../../core/index.ts';
import type { BounceDetails } from './bounce.ts';

/** A request of a provider, as it arrived. */
export interface ReportRequest {
  /** With lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The exact bytes that the provider signed. */
  readonly body: Uint8Array;
  /** The current time, in milliseconds since the epoch. */
  readonly now: number;
  /** For fetching certificates and for confirmations. Only connects to public addresses. */
  readonly outgoing: Outgoing;
}

/** The recipient's program, as the provider saw it. */
export interface ReportedClient {
  readonly userAgent?: string | undefined;
  /** Used to detect bots, and never stored. */
  readonly address?: string | undefined;
}

/** What happened to a message. */
export type ReportedFact =
  | { readonly kind: 'delivered' | 'complained' | 'unsubscribed' }
  | { readonly kind: 'delivery_delayed'; readonly reason: string }
  | { readonly kind: 'bounced'; readonly bounce: BounceDetails }
  | { readonly kind: 'opened'; readonly client: ReportedClient }
  | { readonly kind: 'clicked'; readonly url: string; readonly client: ReportedClient };

/** One fact about one message. */
export interface MailReport {
  /**
   * Texts that may identify the message: the Message-ID that it was sent with, with or without angle brackets and domain. The
   * first one that the service made is used.
   */
  readonly messageIds: readonly string[];
  /** The same for every delivery of this report, and different for each open or click. */
  readonly id: string;
  readonly fact: ReportedFact;
}

/** The request is not signed by the provider. The response is 401, or 400 if the headers were right but the body is malformed. */
export class ReportRefused extends Error {
  /** Whether the body is not in the provider's format. */
  readonly malformed: boolean;

  constructor(message: string, options: { readonly malformed?: boolean } = {}) {
    super(message);
    this.name = 'ReportRefused';
    this.malformed = options.malformed ?? false;
  }
}

/** Whether `error` is a ReportRefused. Compares the name, so that it works with two copies of the package. */
export const isReportRefused = (error: unknown): error is ReportRefused =>
  error instanceof Error && error.name === 'ReportRefused';

/** Reads the reports of one provider. The constructor has no side effects: no network, no timer. */
export interface MailReports {
  /** The last segment of its URL: `ses` for /inbound/mail/ses. a-z, 0-9 and hyphens. */
  readonly id: string;
  /**
   * The format of the requests. JSON: at most 1 MiB with 100,000 values. Mail: at most 10 MiB. Larger requests are refused before they
   * are parsed, because no signature has been checked by then. (Default: json)
   */
  readonly body?: 'json' | 'mail';
  /**
   * Checks requests that can be verified by their headers alone, before the body is read. (Default: `read` checks everything)
   * @throws ReportRefused
   */
  checkHeaders?(headers: ReportRequest['headers']): void;
  /**
   * The reports of a request. Empty if the request does not concern a message, or is of an unknown kind.
   * @throws ReportRefused if the provider did not sign the request. For any other error the response is 503, so that the
   *   provider tries again
   */
  read(request: ReportRequest): Promise<readonly MailReport[]>;
}

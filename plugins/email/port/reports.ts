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
  /** Fetches certificates and answers confirmations. Only connects to public addresses. */
  readonly outgoing: Outgoing;
}

/** The recipient's program, as the provider saw it. */
export interface ReportedClient {
  readonly userAgent?: string | undefined;
  /** Used to detect bots, and never stored. */
  readonly address?: string | undefined;
  /** Whether the provider itself considers it a program, such as Apple's Mail Privacy Protection. (Default: false) */
  readonly isBot?: boolean;
}

/** A fact about a message that a provider reports. */
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
  /**
   * Addresses that may be return paths of the message, such as those that the report was sent to. They are read before `messageIds`,
   * because the service signed them. (Default: none)
   */
  readonly returnPaths?: readonly string[];
  /** The id is the same for every delivery of this report, and different for each open or click. */
  readonly id: string;
  /**
   * The time of the event by the provider's clock, in milliseconds since the epoch. The service keeps it next to its own time if it is
   * between the acceptance of the send and now. (Default: not known)
   */
  readonly at?: number | undefined;
  readonly fact: ReportedFact;
}

/**
 * The reason why a mail contains nothing to record. `unreadable`: it is empty, or its header is longer than a header can be. `auto_reply`: a robot
 * of the recipient answered. `read_receipt`: the recipient's program says that the message was read or deleted. `no_outcome`: a report
 * of another kind, such as that the message was passed on. `no_report`: any other mail, such as the reply of a person.
 */
export type NothingReported = 'unreadable' | 'auto_reply' | 'read_receipt' | 'no_outcome' | 'no_report';

/** The report of a mail, or the reason why the mail contains none. */
export type ReadMail = { readonly report: MailReport } | { readonly nothing: NothingReported };

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
   * The format of the requests. JSON: at most 1 MiB with 100,000 values. Mail: at most 36 MiB. Larger requests are refused before they
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
  /**
   * Reads a mail that the program passes to `service.ingestMail`, which uses the first adapter with this function. Never throws because
   * of the mail's content. (Default: the adapter reads requests only)
   */
  readMail?(mail: Uint8Array): Promise<ReadMail>;
}

// postrider/plugins/email/port, the port of provider reports: what checks a provider's signature and translates what it says
// about sent messages. Called by the public route POST /inbound/mail/{provider}. It decides nothing about sends.
import type { Outgoing } from '../../../core/index.ts';
import type { BounceDetails } from './bounce.ts';

/** A request of a provider, as it arrived. */
export interface ReportRequest {
  /** With lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The exact bytes, over which the provider signs. */
  readonly body: Uint8Array;
  /** The present time, in milliseconds since the epoch. */
  readonly now: number;
  /** For certificates and confirmations. It connects to public addresses only. */
  readonly outgoing: Outgoing;
}

/** The recipient's program, as the provider saw it. */
export interface ReportedClient {
  readonly userAgent?: string | undefined;
  /** Used for the verdict on bots, and never stored. */
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
   * Texts that may name the message: the Message-ID that it was sent with, with or without angle brackets and domain. The
   * first one that the service made counts.
   */
  readonly messageIds: readonly string[];
  /** The same for every delivery of this report, and different for another open or click. */
  readonly id: string;
  readonly fact: ReportedFact;
}

/** The request is not signed by the provider: it is answered with 401, and a malformed one whose headers were right with 400. */
export class ReportRefused extends Error {
  /** Whether the body is none that the provider sends. */
  readonly malformed: boolean;

  constructor(message: string, options: { readonly malformed?: boolean } = {}) {
    super(message);
    this.name = 'ReportRefused';
    this.malformed = options.malformed ?? false;
  }
}

/** Whether `error` is a ReportRefused (by name, so that two copies of the package agree). */
export const isReportRefused = (error: unknown): error is ReportRefused =>
  error instanceof Error && error.name === 'ReportRefused';

/** Reads the reports of one provider. Constructing one does nothing: no network, no timer. */
export interface MailReports {
  /** The last segment of its address: `ses` for /inbound/mail/ses. a-z, 0-9 and hyphens. */
  readonly id: string;
  /**
   * What the requests hold. JSON: at most 1 MiB with 100,000 values. Mail: at most 10 MiB. More is refused before it is
   * parsed, since no signature has been checked by then. (Default: json)
   */
  readonly body?: 'json' | 'mail';
  /**
   * Checks requests that their headers alone prove, before the body is read. (Default: `read` checks everything)
   * @throws ReportRefused
   */
  checkHeaders?(headers: ReportRequest['headers']): void;
  /**
   * The reports of a request; none for what concerns no message, or is of an unknown kind.
   * @throws ReportRefused for a request that the provider did not sign. Any other error is answered with 503, so that the
   *   provider tries again
   */
  read(request: ReportRequest): Promise<readonly MailReport[]>;
}

// The headers that callers may not set, with references to their documentation. Accepting strips them (headers.ts), and the mail
// adapters refuse any that were not stripped (checkMail).

/** Headers of one kind. A name that ends with `*` matches all names with that prefix. */
interface HeaderFamily {
  readonly names: readonly string[];
  /** Whether the service sets them itself, so that adapters accept them. */
  readonly isSetByService?: true;
}

const families: readonly HeaderFamily[] = [
  // The message itself: RFC 5322 3.6, RFC 2045. Built from the send's own fields.
  { names: ['bcc', 'cc', 'to', 'from', 'sender', 'reply-to', 'subject', 'date', 'message-id'] },
  { names: ['mime-version', 'content-*'] },
  // For messages that another person sends again: RFC 5322 3.6.6.
  { names: ['resent-*'] },
  // Written only by servers in transit: RFC 5321 4.4; RFC 9228 (Delivered-To); the others are older conventions of Sendmail,
  // qmail, Postfix and Exim.
  { names: ['return-path', 'received', 'delivered-to', 'x-original-to', 'apparently-to', 'original-recipient'] },
  { names: ['errors-to', 'bounces-to', 'envelope-to', 'envelope-from', 'x-envelope-*', 'delivery-date'] },
  // Proofs of origin: RFC 6376, RFC 4870, RFC 8617, RFC 8601, RFC 7208 9.1, RFC 5518.
  { names: ['dkim-*', 'domainkey-*', 'x-google-dkim-*', 'arc-*', 'authentication-results', 'x-authentication-*'] },
  { names: ['authentication-results-*', 'received-spf', 'vbr-info'] },
  // Verdicts of filters that receivers trust: SpamAssassin (X-Spam-*); Exchange's header firewall
  // (learn.microsoft.com/exchange/antispam-and-antimalware/header-firewall) and the headers of Microsoft 365.
  { names: ['x-spam-*', 'x-ms-exchange-*', 'x-microsoft-antispam*', 'x-forefront-antispam-*'] },
  // Requests for replies to the sender: RFC 8098; Return-Receipt-To and X-Confirm-Reading-To are older conventions.
  { names: ['disposition-notification-*', 'return-receipt-to', 'x-confirm-reading-to'] },
  // Unsubscribing from a list, and feedback loops: RFC 2369, RFC 8058, RFC 2919; support.google.com/mail/answer/6254652.
  { names: ['list-unsubscribe*', 'list-id', 'feedback-id'], isSetByService: true },
  // Commands to providers, over SMTP and over their APIs.
  // Amazon SES: docs.aws.amazon.com/ses/latest/dg/event-publishing-send-email.html
  { names: ['x-ses-*'] },
  // SendGrid reads recipients from it: twilio.com/docs/sendgrid/for-developers/sending-email/building-an-x-smtpapi-header
  { names: ['x-smtpapi', 'x-sg-*'] },
  // Postmark: postmarkapp.com/developer/user-guide/send-email-with-smtp
  { names: ['x-pm-*'] },
  // Mailgun: documentation.mailgun.com, "Sending via SMTP"
  { names: ['x-mailgun-*'] },
  // Mandrill: mailchimp.com/developer/transactional/docs/smtp-integration
  { names: ['x-mc-*'] },
  // SparkPost and Bird: developers.sparkpost.com/api/smtp, docs.bird.com/api/email-api/smtp-api
  { names: ['x-msys-*'] },
  // Mailjet: dev.mailjet.com/smtp-relay/custom-headers
  { names: ['x-mj-*', 'x-mailjet-*'] },
  // SMTP2GO: developers.smtp2go.com, "Custom headers"
  { names: ['x-smtp2go-*'] },
  // Resend: resend.com/docs/send-with-smtp
  { names: ['resend-*'] },
  // Brevo: developers.brevo.com/docs/smtp-integration
  { names: ['x-mailin-*', 'x-sib-*', 'sender.ip', 'idempotencykey'] },
  // MailerSend: developers.mailersend.com; SocketLabs: help.socketlabs.com; SMTPeter: smtpeter.com
  { names: ['x-mailersend-*', 'x-xsmailingid', 'x-xsmessageid', 'x-smtpeter-*'] },
];

type Matches = (name: string) => boolean;

function matcher(names: readonly string[]): Matches {
  const lower = names.map((name) => name.toLowerCase());
  const exact = new Set(lower.filter((name) => !name.endsWith('*')));
  const starts = lower.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));
  return (name) => exact.has(name) || starts.some((start) => name.startsWith(start));
}

const isReserved = matcher(families.flatMap(({ names }) => names));
const isForeign = matcher(
  families.filter(({ isSetByService: ours }) => ours === undefined).flatMap(({ names }) => names),
);
const matchesNothing: Matches = () => false;
const ofAdapters = new WeakMap<readonly string[], Matches>();

function matchesOf(names: readonly string[] | undefined): Matches {
  if (names === undefined) return matchesNothing;
  const cached = ofAdapters.get(names) ?? matcher(names);
  ofAdapters.set(names, cached);
  return cached;
}

/** Whether a caller may not set this header. @param ownReserved `reservedHeaders` of the adapter */
export function isReservedHeader(name: string, ownReserved?: readonly string[]): boolean {
  const lower = name.toLowerCase();
  return isReserved(lower) || matchesOf(ownReserved)(lower);
}

/** Whether an adapter must refuse this header if it is among the extra headers of a message. */
export function isForbiddenOnWire(name: string, ownReserved?: readonly string[]): boolean {
  const lower = name.toLowerCase();
  return isForeign(lower) || matchesOf(ownReserved)(lower);
}

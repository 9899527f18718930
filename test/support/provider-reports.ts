// Requests of mail providers as their documentation describes them, signed with keys that this file creates. `messageId` is the
// Message-ID of the message when it was sent. For the tests of provider reports.
import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { mailboxReports } from '../../adapters/mail/mailbox.ts';
import { mailgunReports } from '../../adapters/mail/mailgun.ts';
import { postmarkReports } from '../../adapters/mail/postmark.ts';
import { resendReports } from '../../adapters/mail/resend.ts';
import { sendgridReports } from '../../adapters/mail/sendgrid.ts';
import { sesReports } from '../../adapters/mail/ses.ts';
import type { Outgoing } from '../../core/index.ts';
import type { MailReports } from '../../plugins/email/port/index.ts';
import { createCertificate } from '../core/outgoing-certificate.ts';

/** An incoming request. */
export interface SignedReport {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The kinds of reports in these tests. */
export type ReportedKind = 'delivered' | 'delayed' | 'soft' | 'hard' | 'complained' | 'opened' | 'clicked';

/** A provider with its keys. */
export interface TestProvider {
  readonly adapter: MailReports;
  /**
   * The payload of one report, or undefined if this provider does not report the kind. `number` makes reports different. `at` is the time
   * of the event in whole seconds (milliseconds since the epoch, by default the beginning of 2026).
   */
  report(kind: ReportedKind, messageId: string, number?: number, at?: number): unknown;
  /** The request for a payload, signed at this time. */
  sign(payload: unknown, now: number): SignedReport;
}

export const clickedUrl = 'https://shop.example/';
const browser = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0';
const unknownUser = '550 5.1.1 No such user here';
const full = '452 4.2.2 Mailbox full';
const delayText = '451 4.7.1 Try again later';
const json = (payload: unknown): Buffer => Buffer.from(JSON.stringify(payload));
const newYear = Date.UTC(2026, 0, 1);
const iso = (at: number): string => new Date(at).toISOString();
const secret = randomBytes(24).toString('hex');

export function sendgrid(): TestProvider {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const fields = {
    delivered: { event: 'delivered', response: '250 OK' },
    delayed: { event: 'deferred', response: delayText, attempt: '1' },
    soft: { event: 'bounce', type: 'blocked', reason: full, status: '4.2.2' },
    hard: {
      event: 'bounce',
      type: 'bounce',
      reason: unknownUser,
      status: '5.1.1',
      bounce_classification: 'Invalid Address',
    },
    complained: { event: 'spamreport' },
    opened: { event: 'open', useragent: browser, ip: '198.51.100.9', sg_machine_open: false },
    clicked: { event: 'click', useragent: browser, ip: '198.51.100.9', url: clickedUrl },
  };
  return {
    adapter: sendgridReports({ publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64') }),
    report: (kind, messageId, number = 0, at = newYear) => [
      {
        email: 'ada@example.org',
        timestamp: at / 1_000,
        'smtp-id': messageId,
        sg_event_id: `${kind}-${number}`,
        ...fields[kind],
      },
    ],
    sign(payload, now) {
      const body = json(payload);
      const timestamp = String(Math.floor(now / 1_000));
      const signature = sign('sha256', Buffer.concat([Buffer.from(timestamp), body]), privateKey).toString('base64');
      const name = 'x-twilio-email-event-webhook';
      return { headers: { [`${name}-signature`]: signature, [`${name}-timestamp`]: timestamp }, body };
    },
  };
}

export function postmark(): TestProvider {
  const bounce = { RecordType: 'Bounce', Email: 'ada@example.org' };
  const fields = {
    delivered: { RecordType: 'Delivery', Details: 'Test delivery' },
    delayed: { ...bounce, Type: 'Transient', TypeCode: 2, Details: `smtp;${delayText}` },
    soft: { ...bounce, Type: 'SoftBounce', TypeCode: 4096, Details: `smtp;${full}` },
    hard: { ...bounce, Type: 'HardBounce', TypeCode: 1, Details: `smtp;${unknownUser}` },
    complained: { RecordType: 'SpamComplaint', Type: 'SpamComplaint', Email: 'ada@example.org' },
    opened: { RecordType: 'Open', FirstOpen: true, UserAgent: browser, Geo: { IP: '198.51.100.9' } },
    clicked: { RecordType: 'Click', OriginalLink: clickedUrl, UserAgent: browser, Geo: { IP: '198.51.100.9' } },
  };
  const timeFields: Readonly<Record<string, string>> = {
    Delivery: 'DeliveredAt',
    Bounce: 'BouncedAt',
    SpamComplaint: 'BouncedAt',
    Open: 'ReceivedAt',
    Click: 'ReceivedAt',
  };
  return {
    adapter: postmarkReports({ username: 'reports', password: secret }),
    report: (kind, messageId, number = 0, at = newYear) => ({
      MessageID: '883953f4-6105-42a2-a16a-77a8eac79483',
      Metadata: { 'Message-Id': messageId.slice(1, messageId.indexOf('@')) },
      // Each kind has its own field, with seven digits after the decimal point.
      [timeFields[fields[kind].RecordType] ?? '']: iso(at + number).replace('Z', '0000Z'),
      ...fields[kind],
    }),
    sign: (payload) => ({
      headers: { authorization: `Basic ${Buffer.from(`reports:${secret}`).toString('base64')}` },
      body: json(payload),
    }),
  };
}

export function resend(): TestProvider {
  const key = randomBytes(24);
  const fields = {
    delivered: ['email.delivered', {}],
    delayed: ['email.delivery_delayed', {}],
    soft: ['email.bounced', { bounce: { type: 'Transient', subType: 'MailboxFull', message: full } }],
    hard: ['email.bounced', { bounce: { type: 'Permanent', subType: 'General', message: unknownUser } }],
    complained: ['email.complained', {}],
    opened: ['email.opened', {}],
    clicked: ['email.clicked', { click: { link: clickedUrl, userAgent: browser, ipAddress: '198.51.100.9' } }],
  } as const;
  return {
    adapter: resendReports({ secret: `whsec_${key.toString('base64')}` }),
    report: (kind, messageId, number = 0, at = newYear) => ({
      type: fields[kind][0],
      created_at: iso(at + number),
      data: {
        email_id: '56761188-7520-42d8-8898-ff6fc54ce618',
        message_id: messageId,
        to: ['ada@example.org'],
        ...fields[kind][1],
      },
    }),
    sign(payload, now) {
      const body = json(payload);
      const time = String(Math.floor(now / 1_000));
      // Each retry of one webhook has the same id.
      const id = `msg_${createHmac('sha256', 'id').update(body).digest('hex').slice(0, 27)}`;
      const signature = createHmac('sha256', key).update(`${id}.${time}.`).update(body).digest('base64');
      return { headers: { 'svix-id': id, 'svix-timestamp': time, 'svix-signature': `v1,AAAA v1,${signature}` }, body };
    },
  };
}

export function mailgun(): TestProvider {
  const client = { 'client-info': { 'user-agent': browser }, ip: '198.51.100.9' };
  const fields = {
    delivered: { event: 'delivered', 'delivery-status': { code: 250, message: 'OK' } },
    delayed: { event: 'failed', severity: 'temporary', 'delivery-status': { code: 451, message: delayText } },
    soft: undefined,
    hard: {
      event: 'failed',
      severity: 'permanent',
      reason: 'bounce',
      'delivery-status': { code: 550, message: '5.1.1 No such user here' },
    },
    complained: { event: 'complained' },
    opened: { event: 'opened', ...client },
    clicked: { event: 'clicked', url: clickedUrl, ...client },
  };
  return {
    adapter: mailgunReports({ signingKey: secret }),
    report: (kind, messageId, number = 0, at = newYear) =>
      fields[kind] === undefined
        ? undefined
        : {
            id: `${kind}-${number}`,
            timestamp: at / 1_000,
            message: { headers: { 'message-id': messageId.slice(1, -1) } },
            ...fields[kind],
          },
    sign(payload, now) {
      const timestamp = String(Math.floor(now / 1_000));
      const token = createHmac('sha256', 'token')
        .update(JSON.stringify([payload, timestamp]))
        .digest('hex');
      const signature = createHmac('sha256', secret)
        .update(timestamp + token)
        .digest('hex');
      return { headers: {}, body: json({ signature: { timestamp, token, signature }, 'event-data': payload }) };
    },
  };
}

/** SES, with the requests that go to SNS: certificates and confirmations */
export function ses(): TestProvider & {
  readonly asked: string[];
  readonly topic: string;
  readonly outgoing: Outgoing;
} {
  const topic = 'arn:aws:sns:eu-west-1:123456789012:mail';
  const { cert, key } = createCertificate(['sns.amazonaws.com'], []);
  const requestedUrls: string[] = [];
  const outgoing: Outgoing = {
    check: async () => undefined,
    async request({ url }) {
      requestedUrls.push(url);
      return { status: 200, headers: {}, body: Buffer.from(cert), cut: false };
    },
    connect: () => Promise.reject(new Error('no connection')),
    close: async () => undefined,
  };
  const mailbox = { emailAddress: 'ada@example.org' };
  const fields = {
    delivered: { eventType: 'Delivery', delivery: { smtpResponse: '250 OK', recipients: ['ada@example.org'] } },
    delayed: {
      eventType: 'DeliveryDelay',
      deliveryDelay: {
        delayType: 'TransientCommunicationFailure',
        delayedRecipients: [{ ...mailbox, diagnosticCode: `smtp; ${delayText}` }],
      },
    },
    soft: {
      notificationType: 'Bounce',
      bounce: {
        bounceType: 'Transient',
        bounceSubType: 'MailboxFull',
        bouncedRecipients: [{ ...mailbox, diagnosticCode: `smtp; ${full}` }],
      },
    },
    hard: {
      notificationType: 'Bounce',
      bounce: {
        bounceType: 'Permanent',
        bounceSubType: 'General',
        bouncedRecipients: [{ ...mailbox, action: 'failed', status: '5.1.1', diagnosticCode: `smtp; ${unknownUser}` }],
      },
    },
    complained: {
      notificationType: 'Complaint',
      complaint: { complaintFeedbackType: 'abuse', complainedRecipients: [mailbox] },
    },
    opened: { eventType: 'Open', open: { userAgent: browser, ipAddress: '198.51.100.9' } },
    clicked: { eventType: 'Click', click: { link: clickedUrl, userAgent: browser, ipAddress: '198.51.100.9' } },
  };
  const adapter = sesReports({ topics: [topic] });
  /** The object of the event has its time, and SNS publishes it later. */
  const withTimes = (kind: ReportedKind, at: number) =>
    Object.entries(fields[kind]).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : { ...value, timestamp: iso(at) },
    ]);
  return {
    asked: requestedUrls,
    topic,
    outgoing,
    // The signature check is real; only the network is replaced.
    adapter: { id: 'ses', read: (request) => adapter.read({ ...request, outgoing }) },
    report: (kind, messageId, number = 0, at = newYear) => ({
      Type: 'Notification',
      MessageId: `${kind}-${number}`,
      TopicArn: topic,
      Timestamp: iso(at + 5_000),
      SignatureVersion: '2',
      SigningCertURL: 'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789abcdef.pem',
      Message: JSON.stringify({
        ...Object.fromEntries(withTimes(kind, at)),
        mail: {
          messageId: '0102018c5b-4a8f9c-000000',
          destination: ['ada@example.org'],
          headers: [
            { name: 'From', value: 'hello@example.com' },
            { name: 'Message-ID', value: messageId },
          ],
        },
      }),
    }),
    sign(payload) {
      const fields = payload as Record<string, string>;
      const names = ['Message', 'MessageId', 'SubscribeURL', 'Subject', 'Timestamp', 'Token', 'TopicArn', 'Type'];
      const text = names.flatMap((name) => (fields[name] === undefined ? [] : [`${name}\n${fields[name]}\n`])).join('');
      const hash = fields['SignatureVersion'] === '1' ? 'sha1' : 'sha256';
      const Signature = sign(hash, Buffer.from(text), key).toString('base64');
      return { headers: { 'content-type': 'text/plain; charset=UTF-8' }, body: json({ ...fields, Signature }) };
    },
  };
}

export function mailbox(): TestProvider {
  const part = (type: string, content: string) => `--b\r\nContent-Type: ${type}\r\n\r\n${content}\r\n`;
  const report = (type: string, status: string, original: string, number: number, at: number) =>
    [
      `Date: ${new Date(at).toUTCString()}\r\n`,
      `From: MAILER-DAEMON@mx.example.org\r\nTo: bounces@example.com\r\nMessage-ID: <report-${number}@mx.example.org>\r\n`,
      `Subject: Report\r\nMIME-Version: 1.0\r\nContent-Type: multipart/report; report-type=${type}; boundary=b\r\n\r\n`,
      part('text/plain', 'This is an automatic report.'),
      part(`message/${type}`, status),
      part('text/rfc822-headers', `From: hello@example.com\r\nMessage-ID:\r\n ${original}\r\nSubject: Hello\r\n`),
      '--b--\r\n',
    ].join('');
  const dsn = (action: string, status: string, words: string) =>
    `Reporting-MTA: dns; mx.example.org\r\n\r\nFinal-Recipient: rfc822; ada@example.org\r\nAction: ${action}\r\nStatus: ${status}\r\nDiagnostic-Code: smtp;\r\n ${words}\r\n`;
  const parts = {
    delivered: ['delivery-status', dsn('delivered', '2.0.0', '250 OK')],
    delayed: ['delivery-status', dsn('delayed', '4.7.1', delayText)],
    soft: ['delivery-status', dsn('failed', '4.2.2', full)],
    hard: ['delivery-status', dsn('failed', '5.1.1', unknownUser)],
    complained: ['feedback-report', 'Feedback-Type: abuse\r\nUser-Agent: FBL/1.0\r\nVersion: 1\r\n'],
    opened: undefined,
    clicked: undefined,
  } as const;
  return {
    adapter: mailboxReports({ secret }),
    report(kind, messageId, number = 0, at = newYear) {
      const [type, status] = parts[kind] ?? [];
      return type === undefined || status === undefined ? undefined : report(type, status, messageId, number, at);
    },
    sign: (payload) => ({ headers: { authorization: `Bearer ${secret}` }, body: Buffer.from(String(payload)) }),
  };
}

/** All providers. */
export const testProviders = (): readonly TestProvider[] => [
  ses(),
  postmark(),
  sendgrid(),
  resend(),
  mailgun(),
  mailbox(),
];

// Every event that the providers document, and its result: a fact, or nothing, with the reason. Unknown events are ignored.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { localOutgoing } from '../../hosts/testing/local-outgoing.ts';
import type { ReportedFact } from '../../plugins/email/port/index.ts';
import { mailgun, postmark, resend, sendgrid, ses, type TestProvider } from '../support/provider-reports.ts';

const test = suite('events of providers');
const now = Date.UTC(2026, 0, 1);
const id = '<msg_01JD3Q5S8ZK2M4N6P8R0T2V4W6@example.com>';

/** The event, its own fields, and the kind of the fact with the class of a bounce, or why it is ignored. */
type Row = readonly [string, object, string];

async function summaryOf(provider: TestProvider, payload: unknown): Promise<string> {
  const { headers, body } = provider.sign(payload, now);
  const outgoing = provider.adapter.id === 'ses' ? ses().outgoing : localOutgoing();
  const facts = (await provider.adapter.read({ headers, body, now, outgoing })).map(({ fact }) => fact);
  const say = (fact: ReportedFact): string => {
    if (fact.kind === 'bounced') return `${fact.kind} ${fact.bounce.class} ${fact.bounce.subType}`;
    return (fact.kind === 'opened' || fact.kind === 'clicked') && fact.client.isBot
      ? `${fact.kind} by a bot`
      : fact.kind;
  };
  return facts.map(say).join();
}

const check = (name: string, rows: readonly Row[], send: (event: string, fields: object) => Promise<string>) => {
  for (const [event, fields, expected] of rows)
    test(`${name}: ${event} ${JSON.stringify(fields).slice(0, 80)} is ${expected}`, async () => {
      assert.is(await send(event, fields), expected.startsWith('ignored: ') ? '' : expected);
    });
};

const unknownUser = 'smtp; 550 5.1.1 No such user';
const recipient = { emailAddress: 'ada@example.org', action: 'failed', status: '5.1.1', diagnosticCode: unknownUser };
const sesBounce = (bounceType: string, bounceSubType: string, bounced: object = recipient) => ({
  bounce: { bounceType, bounceSubType, bouncedRecipients: [bounced] },
});
const full = { ...recipient, status: '4.2.2', diagnosticCode: 'smtp; 452 4.2.2 Mailbox full' };
const recipientWithoutResponse = { emailAddress: 'ada@example.org' };
const blockedRecipient = { ...recipient, diagnosticCode: 'smtp; 550 5.7.1 IP address blacklisted' };

// docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html
check(
  'SES',
  [
    ['Send', {}, 'ignored: the send call already returned this result'],
    ['Delivery', {}, 'delivered'],
    ['DeliveryDelay', { deliveryDelay: { delayType: 'MailboxFull' } }, 'delivery_delayed'],
    ['Bounce', sesBounce('Permanent', 'NoEmail'), 'bounced hard no_mailbox'],
    ['Bounce', sesBounce('Permanent', 'General'), 'bounced hard no_mailbox'],
    ['Bounce', sesBounce('Permanent', 'General', blockedRecipient), 'bounced undetermined policy'],
    ['Bounce', sesBounce('Permanent', 'OnAccountSuppressionList', recipientWithoutResponse), 'bounced hard general'],
    ['Bounce', sesBounce('Permanent', 'OnTenantSuppressionList', recipientWithoutResponse), 'bounced hard general'],
    ['Bounce', sesBounce('Permanent', 'Suppressed'), 'bounced hard no_mailbox'],
    [
      'Bounce',
      sesBounce('Permanent', 'EmailValidationSuppressed', recipientWithoutResponse),
      'bounced undetermined policy',
    ],
    ['Bounce', sesBounce('Permanent', 'EmailValidationSuppressed'), 'bounced undetermined policy'],
    ['Bounce', sesBounce('Transient', 'MailboxFull', full), 'bounced soft mailbox_full'],
    ['Bounce', sesBounce('Transient', 'MessageTooLarge', recipientWithoutResponse), 'bounced soft message_too_large'],
    [
      'Bounce',
      sesBounce('Transient', 'AttachmentRejected', recipientWithoutResponse),
      'bounced soft attachment_rejected',
    ],
    ['Bounce', sesBounce('Transient', 'CustomTimeoutExceeded', recipientWithoutResponse), 'bounced soft general'],
    ['Bounce', sesBounce('Transient', 'General'), 'bounced hard no_mailbox'],
    ['Bounce', sesBounce('Transient', 'General', recipientWithoutResponse), 'ignored: an out-of-office reply'],
    ['Bounce', sesBounce('Transient', 'ContentRejected', blockedRecipient), 'bounced soft content_rejected'],
    ['Bounce', sesBounce('Undetermined', 'Undetermined', blockedRecipient), 'bounced undetermined policy'],
    ['Complaint', { complaint: { complaintFeedbackType: 'abuse' } }, 'complained'],
    ['Complaint', { complaint: { complaintFeedbackType: 'not-spam' } }, 'ignored: the opposite of a complaint'],
    ['Reject', { reject: { reason: 'Bad content' } }, 'bounced undetermined content_rejected'],
    ['Open', { open: { userAgent: 'x' } }, 'opened'],
    ['Click', { click: { link: 'https://shop.example/' } }, 'clicked'],
    ['Rendering Failure', {}, 'ignored: Postrider renders the templates'],
    ['Subscription', {}, 'ignored: Postrider keeps the subscriptions'],
  ],
  (eventType, fields) => {
    const provider = ses();
    const base = provider.report('delivered', id) as Record<string, string>;
    const { mail } = JSON.parse(base['Message'] ?? '{}') as { mail: unknown };
    return summaryOf(provider, { ...base, Message: JSON.stringify({ eventType, ...fields, mail }) });
  },
);

// postmarkapp.com/developer/webhooks/webhooks-overview, bounce types: postmarkapp.com/developer/api/bounce-api
const bounceTypes: readonly Row[] = [
  ['HardBounce', {}, 'bounced hard general'],
  ['HardBounce', { Details: unknownUser }, 'bounced hard no_mailbox'],
  ['HardBounce', { Details: '550 5.7.1 Message blocked by policy' }, 'bounced undetermined policy'],
  ['BadEmailAddress', {}, 'bounced hard no_mailbox'],
  ['SoftBounce', {}, 'bounced soft general'],
  ['Transient', {}, 'delivery_delayed'],
  ['DnsError', {}, 'bounced soft dns_failure'],
  ['SpamNotification', {}, 'bounced undetermined content_rejected'],
  ['VirusNotification', {}, 'bounced undetermined content_rejected'],
  ['Blocked', { Details: unknownUser }, 'bounced undetermined policy'],
  ['DMARCPolicy', {}, 'bounced undetermined policy'],
  ['ManuallyDeactivated', {}, 'bounced undetermined general'],
  ['Unknown', {}, 'bounced undetermined general'],
  ['SpamComplaint', {}, 'complained'],
  ['Unsubscribe', {}, 'unsubscribed'],
  ['Subscribe', {}, 'ignored: Postrider keeps the subscriptions'],
  ['AutoResponder', {}, 'ignored: an out-of-office reply'],
  ['AddressChange', {}, 'ignored: an automatic reply'],
  ['ChallengeVerification', {}, 'ignored: an automatic reply'],
  ['OpenRelayTest', {}, 'ignored: a test by the provider'],
  ['Unconfirmed', {}, 'ignored: about  inbound mail'],
  ['SMTPApiError', {}, 'ignored: the send call already returned this result'],
  ['InboundError', {}, 'ignored: about  inbound mail'],
  ['TemplateRenderingFailed', {}, 'ignored: Postrider renders the templates'],
];
const fromPostmark = (fields: object) => {
  const provider = postmark();
  const { Metadata, MessageID } = provider.report('delivered', id) as Record<string, unknown>;
  return summaryOf(provider, { Metadata, MessageID, ...fields });
};
check('Postmark, a bounce of the type', bounceTypes, (Type, fields) =>
  fromPostmark({ RecordType: 'Bounce', Type, ...fields }),
);
check(
  'Postmark',
  [
    ['Delivery', {}, 'delivered'],
    ['SpamComplaint', {}, 'complained'],
    ['Open', {}, 'opened'],
    ['Click', { OriginalLink: 'https://shop.example/' }, 'clicked'],
    ['SubscriptionChange', { SuppressSending: true, SuppressionReason: 'ManualSuppression' }, 'unsubscribed'],
    [
      'SubscriptionChange',
      { SuppressSending: true, SuppressionReason: 'HardBounce' },
      'ignored: its bounce was reported',
    ],
    [
      'SubscriptionChange',
      { SuppressSending: true, SuppressionReason: 'SpamComplaint' },
      'ignored: its complaint was reported',
    ],
    ['SubscriptionChange', { SuppressSending: false }, 'ignored: a person can subscribe again only in Postrider'],
    ['Inbound', {}, 'ignored: inbound mail'],
    ['SMTPApiError', {}, 'ignored: the send call already returned this result'],
  ],
  (RecordType, fields) => fromPostmark({ RecordType, ...fields }),
);

// twilio.com/docs/sendgrid/for-developers/tracking-events/event
check(
  'SendGrid',
  [
    ['processed', {}, 'ignored: the send call already returned this result'],
    ['dropped', { reason: 'Bounced Address' }, 'bounced hard no_mailbox'],
    ['dropped', { reason: 'Spam Content' }, 'bounced undetermined policy'],
    ['delivered', {}, 'delivered'],
    ['deferred', { response: '451 4.7.1 Try later' }, 'delivery_delayed'],
    ['bounce', { type: 'bounce', reason: '550 5.1.1 No such user', status: '5.1.1' }, 'bounced hard no_mailbox'],
    [
      'bounce',
      { type: 'bounce', reason: '550 5.7.1 IP address blacklisted', status: '5.1.1' },
      'bounced undetermined policy',
    ],
    ['bounce', { type: 'blocked', reason: '550 5.7.1 Blocked', status: '5.7.1' }, 'bounced soft policy'],
    ['open', { sg_machine_open: false }, 'opened'],
    ['open', { sg_machine_open: true }, 'opened by a bot'],
    ['click', { url: 'https://shop.example/' }, 'clicked'],
    ['spamreport', {}, 'complained'],
    ['unsubscribe', {}, 'unsubscribed'],
    ['group_unsubscribe', {}, 'unsubscribed'],
    ['group_resubscribe', {}, 'ignored: a person can subscribe again only in Postrider'],
    ['account_status_change', {}, 'ignored: about  the account'],
  ],
  (event, fields) => {
    const provider = sendgrid();
    return summaryOf(provider, [{ 'smtp-id': id, sg_event_id: 'e', event, ...fields }]);
  },
);

// resend.com/docs/webhooks/event-types
check(
  'Resend',
  [
    ['email.sent', {}, 'ignored: the send call already returned this result'],
    ['email.scheduled', {}, 'ignored: Postrider schedules'],
    ['email.delivered', {}, 'delivered'],
    ['email.delivery_delayed', {}, 'delivery_delayed'],
    ['email.complained', {}, 'complained'],
    [
      'email.bounced',
      { bounce: { type: 'Permanent', subType: 'General', message: '550 5.1.1 No such user' } },
      'bounced hard no_mailbox',
    ],
    [
      'email.bounced',
      { bounce: { type: 'Permanent', subType: 'General', message: '552 5.2.2 Mailbox full' } },
      'bounced undetermined mailbox_full',
    ],
    [
      'email.bounced',
      { bounce: { type: 'Transient', subType: 'MailboxFull', message: 'Full' } },
      'bounced soft mailbox_full',
    ],
    ['email.failed', { failed: { reason: 'reached_daily_quota' } }, 'bounced undetermined general'],
    ['email.suppressed', { suppressed: { message: 'On the suppression list' } }, 'bounced undetermined policy'],
    ['email.suppressed', {}, 'bounced undetermined policy'],
    ['email.suppressed', { suppressed: { message: 'The address bounced before' } }, 'bounced hard general'],
    ['email.suppressed', { suppressed: { message: 'Invalid address' } }, 'bounced hard general'],
    ['email.opened', {}, 'opened'],
    ['email.clicked', { click: { link: 'https://shop.example/' } }, 'clicked'],
    ['email.received', {}, 'ignored: inbound mail'],
    ['contact.created', {}, 'ignored: about  contacts at Resend'],
    ['contact.updated', {}, 'ignored: about  contacts at Resend'],
    ['contact.deleted', {}, 'ignored: about  contacts at Resend'],
    ['domain.created', {}, 'ignored: about  domains at Resend'],
    ['domain.updated', {}, 'ignored: about  domains at Resend'],
    ['domain.deleted', {}, 'ignored: about  domains at Resend'],
  ],
  (type, fields) => summaryOf(resend(), { type, data: { message_id: id, ...fields } }),
);

// documentation.mailgun.com/docs/mailgun/user-manual/webhooks/webhooks
check(
  'Mailgun',
  [
    ['accepted', {}, 'ignored: the send call already returned this result'],
    ['delivered', {}, 'delivered'],
    ['failed', { severity: 'temporary', 'delivery-status': { code: 451, message: 'Try later' } }, 'delivery_delayed'],
    [
      'failed',
      { severity: 'permanent', 'delivery-status': { code: 550, message: '5.1.1 No such user' } },
      'bounced hard no_mailbox',
    ],
    [
      'failed',
      { severity: 'permanent', 'delivery-status': { code: 550, message: '5.7.1 IP blacklisted' } },
      'bounced undetermined policy',
    ],
    [
      'failed',
      {
        severity: 'permanent',
        reason: 'suppress-bounce',
        'delivery-status': { code: 605, message: 'Not delivering to previously bounced address' },
      },
      'bounced hard general',
    ],
    ['opened', { 'client-info': { 'user-agent': 'x', bot: '' } }, 'opened'],
    ['opened', { 'client-info': { 'user-agent': 'x', bot: 'apple' } }, 'opened by a bot'],
    ['clicked', { url: 'https://shop.example/' }, 'clicked'],
    ['unsubscribed', {}, 'unsubscribed'],
    ['complained', {}, 'complained'],
    ['stored', {}, 'ignored: inbound mail'],
    ['rejected', {}, 'ignored: the send call already returned this result'],
    ['list_member_uploaded', {}, 'ignored: about  mailing lists at Mailgun'],
    ['list_member_upload_error', {}, 'ignored: about  mailing lists at Mailgun'],
    ['list_uploaded', {}, 'ignored: about  mailing lists at Mailgun'],
  ],
  (event, fields) => {
    const provider = mailgun();
    return summaryOf(provider, { event, id: 'e', message: { headers: { 'message-id': id.slice(1, -1) } }, ...fields });
  },
);

test.run();

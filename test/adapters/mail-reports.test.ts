// Reports of providers: the accepted signatures, and the reading of unusual shapes.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mailboxReports } from '../../adapters/mail/mailbox.ts';
import { mailgunReports } from '../../adapters/mail/mailgun.ts';
import { postmarkReports } from '../../adapters/mail/postmark.ts';
import { resendReports } from '../../adapters/mail/resend.ts';
import { sendgridReports } from '../../adapters/mail/sendgrid.ts';
import { sesReports } from '../../adapters/mail/ses.ts';
import { isReportRefused, type MailReport } from '../../plugins/email/port/index.ts';
import {
  mailbox,
  mailgun,
  postmark,
  resend,
  type SignedReport,
  sendgrid,
  ses,
  type TestProvider,
  testProviders,
} from '../support/provider-reports.ts';

const test = suite('reports of providers');
const now = Date.UTC(2026, 0, 1);
const messageId = '<msg_01JD3Q5S8ZK2M4N6P8R0T2V4W6@example.com>';
const { outgoing } = ses();

const read = ({ adapter }: TestProvider, { headers, body }: SignedReport, at = now): Promise<readonly MailReport[]> =>
  adapter.read({ headers, body, now: at, outgoing });
const readReport = (provider: TestProvider, report: SignedReport, at = now): Promise<string> =>
  read(provider, report, at).then(
    () => 'accepted',
    (error: unknown) => (isReportRefused(error) ? 'refused' : String(error)),
  );

for (const provider of testProviders()) {
  const { id } = provider.adapter;
  const signedReport = provider.sign(provider.report('hard', messageId), now);

  test(`${id}: a hard bounce names the message, the mailbox and the server's words`, async () => {
    const [report] = await read(provider, signedReport);
    assert.ok(report);
    assert.ok(report.messageIds.some((text) => text.includes('msg_01JD3Q5S8ZK2M4N6P8R0T2V4W6')));
    assert.ok(report.fact.kind === 'bounced');
    assert.equal([report.fact.bounce.class, report.fact.bounce.subType], ['hard', 'no_mailbox']);
    assert.match(report.fact.bounce.diagnostic, 'No such user');
  });

  test(`${id}: a report without a signature, with a foreign signature or with changed bytes is refused`, async () => {
    const otherInstance = testProviders().find(({ adapter }) => adapter.id === id);
    const foreignReport = otherInstance?.sign(provider.report('hard', messageId), now);
    // A shared secret is the same in both instances, but a key pair is not.
    if (['ses', 'sendgrid', 'resend'].includes(id) && foreignReport !== undefined) {
      assert.is(await readReport(provider, foreignReport), 'refused');
    }
    const bare: SignedReport = { headers: {}, body: Buffer.from('{"Type":"Notification"}') };
    assert.is(await readReport(provider, bare), 'refused');
    assert.is(await readReport(provider, { ...bare, body: Buffer.from('no JSON') }), 'refused');
    if (['postmark', 'mailbox'].includes(id)) return;
    const changedBody = Buffer.from(signedReport.body.toString().replace('No such user', 'No such person'));
    assert.is(await readReport(provider, { ...signedReport, body: changedBody }), 'refused');
  });

  test(`${id}: a signed report with unknown content concerns no message`, async () => {
    const payload = id === 'ses' ? { ...(provider.report('hard', messageId) as object), Message: 'A sentence.' } : {};
    assert.equal(
      await read(provider, provider.sign(id === 'mailbox' ? 'Subject: Out of office\r\n\r\nAway.' : payload, now)),
      [],
    );
  });
}

test("SES: only the program's topics and only certificates of SNS are accepted, and each is fetched once", async () => {
  const provider = ses();
  const report = provider.report('delivered', messageId) as Record<string, string>;
  for (const changes of [
    { TopicArn: 'arn:aws:sns:eu-west-1:999999999999:mail' },
    { SigningCertURL: 'https://sns.eu-west-1.amazonaws.com.evil.example/SimpleNotificationService-1.pem' },
    { SigningCertURL: 'http://sns.eu-west-1.amazonaws.com/SimpleNotificationService-1.pem' },
    { SigningCertURL: 'https://sns.eu-west-1.amazonaws.com/other.pem' },
    { SigningCertURL: 'https://bucket.s3.amazonaws.com/SimpleNotificationService-1.pem' },
    { SignatureVersion: '3' },
    { Type: 'constructor' },
  ])
    assert.is(
      await readReport(provider, provider.sign({ ...report, ...changes }, now)),
      'refused',
      JSON.stringify(changes),
    );
  assert.equal(provider.asked, []);
  for (const SignatureVersion of ['1', '2'])
    assert.is(await readReport(provider, provider.sign({ ...report, SignatureVersion }, now)), 'accepted');
  assert.equal(provider.asked, [report['SigningCertURL']]);
  assert.is(await readReport(provider, provider.sign(report, now), Date.UTC(2150, 0, 1)), 'refused');
});

test('SES: a subscription of a known topic is confirmed, only at SNS', async () => {
  const provider = ses();
  const { Message: _, ...rest } = provider.report('delivered', messageId) as Record<string, string>;
  const url = 'https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=t';
  const confirmation = { ...rest, Type: 'SubscriptionConfirmation', Message: 'Confirm', Token: 't', SubscribeURL: url };
  assert.equal(await read(provider, provider.sign(confirmation, now)), []);
  assert.is(provider.asked.at(-1), url);
  const foreignConfirmation = { ...confirmation, SubscribeURL: 'https://evil.example/' };
  assert.is(await readReport(provider, provider.sign(foreignConfirmation, now)), 'refused');
});

test('SES: a message that was moved out of spam is not a complaint', async () => {
  const provider = ses();
  const report = provider.report('complained', messageId) as Record<string, string>;
  const Message = (report['Message'] ?? '').replace('"abuse"', '"not-spam"');
  assert.equal(await read(provider, provider.sign({ ...report, Message }, now)), []);
});

test('Resend: a signature is valid for five minutes', async () => {
  const provider = resend();
  const signedReport = provider.sign(provider.report('delivered', messageId), now);
  assert.equal(
    await Promise.all([300_000, 301_000, -301_000].map((delayMs) => readReport(provider, signedReport, now + delayMs))),
    ['accepted', 'refused', 'refused'],
  );
});

test('Mailgun: a token is accepted with one report only, however often that report is retried', async () => {
  const provider = mailgun();
  const signedReport = provider.sign(provider.report('delivered', messageId), now);
  assert.is(await readReport(provider, signedReport), 'accepted');
  assert.is(await readReport(provider, signedReport), 'accepted');
  const body = Buffer.from(signedReport.body.toString().replace('delivered', 'complained'));
  assert.is(await readReport(provider, { ...signedReport, body }), 'refused');
  assert.is(await readReport(mailgun(), signedReport, now + 10 * 3_600_000), 'refused');
});

test('SendGrid: one request contains many events', async () => {
  const provider = sendgrid();
  const kinds = ['delivered', 'opened', 'clicked'] as const;
  const events = kinds.flatMap((kind) => provider.report(kind, messageId) as object[]);
  const reports = await read(provider, provider.sign([...events, { event: 'processed' }, null, 'x'], now));
  assert.equal(
    reports.map(({ fact }) => fact.kind),
    [...kinds],
  );
});

test('SendGrid and Resend: a report also names the message by the id that their mail adapters add', async () => {
  const id = messageId.slice(1, messageId.indexOf('@'));
  const fromSendgrid = sendgrid();
  const event = { event: 'delivered', 'smtp-id': '<x@geopod-ismtpd>', message_id: id, sg_event_id: 'e' };
  const [one] = await read(fromSendgrid, fromSendgrid.sign([event], now));
  assert.ok(one?.messageIds.includes(id));
  const fromResend = resend();
  const data = { message_id: '<x@eu-west-1.amazonses.com>', tags: { message_id: id } };
  const [otherReport] = await read(fromResend, fromResend.sign({ type: 'email.delivered', data }, now));
  assert.ok(otherReport?.messageIds.includes(id));
});

test('Postmark: automatic replies are ignored, and a suppression by the recipient is an unsubscription', async () => {
  const provider = postmark();
  const base = provider.report('hard', messageId) as object;
  const kinds = async (changes: object) =>
    (await read(provider, provider.sign({ ...base, ...changes }, now))).map(({ fact }) => fact.kind);
  assert.equal(await kinds({ Type: 'AutoResponder' }), []);
  assert.equal(await kinds({ Type: 'constructor' }), []);
  const change = { RecordType: 'SubscriptionChange', SuppressSending: true };
  assert.equal(await kinds({ ...change, SuppressionReason: 'ManualSuppression' }), ['unsubscribed']);
  assert.equal(await kinds({ ...change, SuppressionReason: 'HardBounce' }), []);
});

test('the mailbox reads a whole message in a report and folded fields; a policy refusal suppresses nobody', async () => {
  const provider = mailbox();
  const raw = String(provider.report('hard', messageId))
    .replace('text/rfc822-headers', 'message/rfc822')
    .replace('Status: 5.1.1', 'Status: 5.7.1 (blocked)')
    .replace('550 5.1.1 No such user here', '554 5.7.1 Blocked by\r\n policy');
  const [report] = await read(provider, provider.sign(raw, now));
  assert.ok(report);
  assert.equal(report.messageIds, [messageId]);
  assert.ok(report.fact.kind === 'bounced');
  const { diagnostic, ...rest } = report.fact.bounce;
  assert.equal(rest, { class: 'undetermined', subType: 'policy', smtpCode: 554, enhancedCode: '5.7.1' });
  assert.match(diagnostic, 'Blocked by policy');
});

test('invalid options are refused at once', () => {
  for (const make of [
    () => sesReports({ topics: [] }),
    () => sesReports({ topics: ['mail'] }),
    () => postmarkReports({ username: 'a', password: 'short' }),
    () => sendgridReports({ publicKey: 'none' }),
    () => resendReports({ secret: 'none' }),
    () => mailgunReports({ signingKey: '' }),
    () => mailboxReports({ secret: 'short' }),
  ])
    assert.throws(make, (error: unknown) => error instanceof TypeError);
});

test.run();

// The forms in which mail servers report, each with a short example in the words of its server, and mails that are not reports. The
// corpus of real mails is read by mail-bounce-corpus.test.ts.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mailboxReports } from '../../adapters/mail/mailbox.ts';
import { localOutgoing } from '../../hosts/testing/local-outgoing.ts';
import type { MailReport } from '../../plugins/email/port/index.ts';

const test = suite('forms of reports by mail');
const secret = 'a secret for tests only';
const messageId = '<msg_01JD3Q5S8ZK2M4N6P8R0T2V4W6@example.com>';

async function read(mail: string | Buffer): Promise<MailReport | undefined> {
  const headers = { authorization: `Bearer ${secret}` };
  const body = typeof mail === 'string' ? Buffer.from(mail.replaceAll('\n', '\r\n')) : mail;
  return (await mailboxReports({ secret }).read({ headers, body, now: 0, outgoing: localOutgoing() }))[0];
}

/** Kind, class and subtype in one text. */
function summaryOf(report: MailReport | undefined): string {
  if (report === undefined) return 'nothing';
  const { fact } = report;
  return fact.kind === 'bounced' ? `${fact.bounce.class} ${fact.bounce.subType}` : fact.kind;
}

const returned = `Received: from mx.example.com by mx.example.org; Mon, 2 Nov 2026 09:00:00 +0000
Message-ID: ${messageId}
From: hello@example.com
To: ada@example.org
Subject: Hello

Hello`;

const plain = (subject: string, text: string, from = 'MAILER-DAEMON@mx.example.org') =>
  `From: ${from}\nTo: hello@example.com\nSubject: ${subject}\n\n${text}\n`;

/** Reports without a machine-readable part, by the name of their server. */
const humanReadableReports: readonly (readonly [string, string, string])[] = [
  [
    'qmail, an unknown user',
    'hard no_mailbox',
    plain(
      'failure notice',
      `Hi. This is the qmail-send program at mx.example.org.\nI'm afraid I wasn't able to deliver your message to the following addresses.\nThis is a permanent error; I've given up. Sorry it didn't work out.\n\n<ada@example.org>:\nSorry, no mailbox here by that name. (#5.1.1)\n\n--- Below this line is a copy of the message.\n\n${returned}`,
    ),
  ],
  [
    'qmail, a full mailbox',
    'undetermined mailbox_full',
    plain(
      'failure notice',
      `I wasn't able to deliver your message to the following addresses.\n\n<ada@example.org>:\n192.0.2.1 does not like recipient.\nRemote host said: 552 5.2.2 Mailbox is over quota\nGiving up on 192.0.2.1.\n\n--- Below this line is a copy of the message.\n\n${returned}`,
    ),
  ],
  [
    'Exim, a refused sender',
    'undetermined no_mailbox',
    plain(
      'Mail delivery failed: returning message to sender',
      `A message that you sent could not be delivered to one or more of its\nrecipients. This is a permanent error. The following address(es) failed:\n\n  ada@example.org\n    host mx.example.org [192.0.2.1]\n    SMTP error from remote mail server after MAIL FROM:<hello@example.com>:\n    550 5.1.1 unknown user\n\n------ This is a copy of the message, including all the headers. ------\n\n${returned}`,
    ),
  ],
  [
    'Exim, an unknown user',
    'hard no_mailbox',
    plain(
      'Mail delivery failed: returning message to sender',
      `A message that you sent could not be delivered to one or more of its\nrecipients. The following address(es) failed:\n\n  ada@example.org\n    SMTP error from remote mail server after RCPT TO:<ada@example.org>:\n    550 unknown user\n\n------ This is a copy of the message, including all the headers. ------\n\n${returned}`,
    ),
  ],
  [
    'Exim, a filter after the content that says unknown user',
    'undetermined no_mailbox',
    plain(
      'Mail delivery failed: returning message to sender',
      `The following address(es) failed:\n\n  ada@example.org\n    SMTP error from remote mail server after end of data:\n    550 User unknown\n\n------ This is a copy of the message, including all the headers. ------\n\n${returned}`,
    ),
  ],
  [
    'Exim, a delay',
    'delivery_delayed',
    plain(
      'Warning: message 1xXW delayed 24 hours',
      `This message was created automatically by mail delivery software.\nA message that you sent has not yet been delivered to one or more of its recipients after more than 24 hours on the queue.\n\nNo action is required on your part. Delivery attempts will continue for some time.\n\n${returned}`,
    ),
  ],
  [
    'OpenSMTPD',
    'hard no_mailbox',
    plain(
      'Delivery status notification: error',
      `Hi!\n\n    An error has occurred while attempting to deliver a message for\n    the following list of recipients:\n\nada@example.org: 550 5.1.1 User unknown\n\n    Below is a copy of the original message:\n\n${returned}`,
    ),
  ],
  [
    'Exchange',
    'hard no_mailbox',
    plain(
      'Undeliverable: Hello',
      'Your message\n\n  To:      ada@example.org\n  Subject: Hello\n\ndid not reach the following recipient(s):\n\nada@example.org on Mon, 2 Nov 2026 09:00:00 +0000\n    The recipient name is not recognized\n',
      'postmaster@example.org',
    ),
  ],
  [
    'Domino',
    'hard no_mailbox',
    plain(
      'DELIVERY FAILURE: User Ada (ada@example.org) not listed in Domino Directory',
      'Your message\n\n  Subject: Hello\n\nwas not delivered to:\n\n  ada@example.org\n\nbecause:\n\n  User Ada (ada@example.org) not listed in Domino Directory\n',
      'Postmaster@example.org',
    ),
  ],
  [
    'Gmail, a block',
    'undetermined policy',
    plain(
      'Delivery Status Notification (Failure)',
      `Delivery to the following recipient failed permanently:\n\n     ada@example.org\n\nThe error that the other server returned was: 550 550 5.1.1 Service unavailable; client blocked using rbl.example (state 13).\n\n----- Original message -----\n\n${returned}`,
      'Mail Delivery Subsystem <mailer-daemon@googlemail.com>',
    ),
  ],
  [
    'Yahoo',
    'undetermined mailbox_full',
    plain(
      'Failure Notice',
      `Sorry, we were unable to deliver your message to the following address.\n\n<ada@example.org>:\n552: 5.2.2 Mailbox full\n\n--- Below this line is a copy of the message.\n\n${returned}`,
      'MAILER-DAEMON@yahoo.com',
    ),
  ],
  [
    'DragonFly',
    'soft general',
    plain(
      'Mail delivery failed',
      `This is the DragonFly Mail Agent.\n\nThere was an error delivering your mail to <ada@example.org>.\n\nCould not deliver for the last 432000 seconds. Giving up.\n\nMessage headers follow.\n\n${returned}`,
    ),
  ],
  [
    'a reason in the subject only',
    'hard no_mailbox',
    plain(
      'Returned mail: User unknown',
      `----- The following addresses had errors -----\n\nada@example.org\n\n${returned}`,
    ),
  ],
  [
    'a notification that a person passes on',
    'hard no_mailbox',
    plain(
      'Fwd: Returned mail: see transcript for details',
      `> The following addresses had permanent fatal errors\n>\n> Final-Recipient: RFC822; ada@example.org\n> Action: failed\n> Status: 5.1.1\n> Diagnostic-Code: SMTP; 550 5.1.1 User unknown\n>\n> Message-Id: ${messageId}\n`,
      'postmaster@example.com',
    ),
  ],
  [
    'a server that only guesses several causes',
    'undetermined policy',
    plain(
      'Delivery Status Notification (Failure)',
      `The group you tried to contact may not exist, or you may not have permission to post messages to it.\n\n----- Original message -----\n\n${returned}`,
    ),
  ],
];

for (const [name, expected, mail] of humanReadableReports)
  test(`the parser reads a report without a machine-readable part: ${name}`, async () => {
    assert.is(summaryOf(await read(mail)), expected);
  });

interface Part {
  readonly type: string;
  readonly content: string;
}

const report = (parts: readonly Part[], header = 'From: MAILER-DAEMON@mx.example.org\nSubject: Report\n') =>
  `${header}MIME-Version: 1.0\nContent-Type: multipart/report; boundary=b\n\n${parts.map(({ type, content }) => `--b\nContent-Type: ${type}\n\n${content}\n`).join('')}--b--\n`;
const status = (fields: string, type = 'message/delivery-status'): Part => ({
  type,
  content: `Reporting-MTA: dns; mx.example.org\n\nFinal-Recipient: rfc822; ada@example.org\n${fields}\n`,
});
const headers: Part = { type: 'text/rfc822-headers', content: returned };

/** Machine-readable reports. */
const machineReadableReports: readonly (readonly [string, string, string])[] = [
  [
    'the words outweigh the status',
    'undetermined policy',
    report([status('Action: failed\nStatus: 5.1.1\nDiagnostic-Code: 550 5.7.1 IP address blacklisted'), headers]),
  ],
  [
    'a link to a block list outweighs the status',
    'undetermined policy',
    report([
      status(
        'Action: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 553 https://www.spamhaus.org/query/bl?ip=192.0.2.1',
      ),
      headers,
    ]),
  ],
  ['a status without words', 'hard no_mailbox', report([status('Action: failed\nStatus: 5.1.1'), headers])],
  [
    'international addresses (RFC 6533)',
    'hard no_mailbox',
    report([
      status(
        'Action: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 No such user',
        'message/global-delivery-status',
      ),
      { type: 'message/global-headers', content: returned },
    ]),
  ],
  [
    'recipients without an empty line between them, of which one may be good',
    'undetermined mailbox_full',
    report([
      status(
        'Action: failed\nStatus: 5.1.1\nFinal-Recipient: rfc822; bob@example.org\nAction: failed\nStatus: 5.2.2\nDiagnostic-Code: smtp; 550 5.2.2 Mailbox full',
      ),
      { ...headers, content: returned.replace('To: ada@example.org', 'To: team@example.org') },
    ]),
  ],
  [
    'several recipients, of which one is the recipient of the message',
    'hard no_mailbox',
    report([
      status(
        'Action: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 No such user\n\nFinal-Recipient: rfc822; bob@example.org\nAction: delayed\nStatus: 4.2.2',
      ),
      headers,
    ]),
  ],
  [
    'a recipient to which a mailing list forwarded the message',
    'undetermined no_mailbox',
    report([
      status('Action: failed\nStatus: 5.1.1'),
      { ...headers, content: returned.replace('To: ada@example.org', 'To: team@list.example') },
    ]),
  ],
  [
    'an address that was forwarded to another domain',
    'hard no_mailbox',
    report([
      status('Action: failed\nStatus: 5.1.1'),
      { ...headers, content: returned.replace('To: ada@example.org', 'To: ada@list.example') },
    ]),
  ],
  ['a test of an address', 'nothing', report([status('Action: deliverable\nStatus: 2.1.5'), headers])],
  [
    'a confirmation that the message was read',
    'nothing',
    report([status('Disposition: displayed', 'message/disposition-notification'), headers]),
  ],
  [
    'a rejection by Sieve or Dovecot',
    'undetermined mailbox_full',
    report([
      {
        type: 'text/plain',
        content:
          'Your message to <ada@example.org> was automatically rejected:\nQuota exceeded (mailbox for user is full)',
      },
      status('Disposition: automatic-action/MDN-sent-automatically; deleted', 'message/disposition-notification'),
      headers,
    ]),
  ],
  [
    'a complaint',
    'complained',
    report([{ type: 'message/feedback-report', content: 'Feedback-Type: abuse\nVersion: 1' }, headers]),
  ],
  [
    'an opt-out request',
    'unsubscribed',
    report([{ type: 'message/feedback-report', content: 'Feedback-Type: opt-out' }, headers]),
  ],
  [
    'a complaint that quotes a filter',
    'complained',
    report([
      { type: 'text/plain', content: 'Your message to ada was automatically rejected: spam filter' },
      { type: 'message/feedback-report', content: 'Feedback-Type: abuse\nVersion: 1' },
      headers,
    ]),
  ],
  [
    'a message that was not spam',
    'nothing',
    report([{ type: 'message/feedback-report', content: 'Feedback-Type: not-spam' }, headers]),
  ],
  [
    'a complaint of Hotmail',
    'complained',
    report(
      [{ type: 'message/rfc822', content: returned }],
      'From: <staff@hotmail.com>\nSubject: complaint about message from 192.0.2.1\n',
    ),
  ],
];

for (const [name, expected, mail] of machineReadableReports)
  test(`the parser reads a machine-readable report: ${name}`, async () => {
    const foundReport = await read(mail);
    assert.is(summaryOf(foundReport), expected);
    if (foundReport !== undefined) assert.is(foundReport.messageIds[0], messageId);
  });

const otherMails: readonly (readonly [string, string])[] = [
  [
    'an out-of-office reply',
    plain('Automatic reply: Hello', 'I am away. The mailbox does not exist any more.', 'ada@example.org'),
  ],
  [
    'a reply by a robot of the recipient',
    `Auto-Submitted: auto-replied\n${plain('Re: Hello', 'Unknown user? Your message could not be delivered to me before Monday.', 'ada@example.org')}`,
  ],
  ['a reply by a person', plain('Re: Hello', 'Thank you! My colleague is no longer here.', 'ada@example.org')],
  ['a person who quotes a refusal', plain('Re: Hello', `I got this:\n\n550 5.1.1 User unknown\n`, 'ada@example.org')],
];

for (const [name, mail] of otherMails)
  test(`the parser does not read as a report: ${name}`, async () => {
    assert.is(summaryOf(await read(mail)), 'nothing');
  });

test('the parser reads other scripts and broken character sets', async () => {
  const failedFields = 'Action: failed\nStatus: 5.0.0\nDiagnostic-Code: X-Notes; ';
  const unknown = [
    'ユーザー Ada は Domino ディレクトリには見つかりません',
    'пользователь не найден',
    '收件人不存在',
    'Empfänger unbekannt',
  ];
  for (const words of unknown)
    assert.is(summaryOf(await read(report([status(failedFields + words), headers]))), 'hard no_mailbox', words);
  const latin = Buffer.from(report([status(`${failedFields}Empfänger existiert nicht`), headers]), 'latin1');
  assert.is(summaryOf(await read(latin)), 'hard no_mailbox');
  const brokenMail = Buffer.concat([
    Buffer.from(report([status(`${failedFields}550 User unknown`), headers])),
    Buffer.from([0xff, 0xfe, 0, 0x80]),
  ]);
  assert.is(summaryOf(await read(brokenMail)), 'hard no_mailbox');
});

test('a huge, a deeply nested or an incomplete report is read in bounded time, and never throws', async () => {
  const nestedMail = Array.from(
    { length: 300 },
    (_, index) => `Content-Type: multipart/mixed; boundary=b${index}\n\n--b${index}\n`,
  ).join('');
  const completeReport = report([
    status('Action: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 No such user'),
    headers,
  ]);
  const hostile: readonly (string | Buffer)[] = [
    `${completeReport.slice(0, -8)}${'x'.repeat(70)}\n`.repeat(1) + 'y'.repeat(10_000_000),
    `From: MAILER-DAEMON@x.example\n${nestedMail}`,
    `From: MAILER-DAEMON@x.example\nSubject: failure notice\n\n${'550 user '.repeat(200_000)}`,
    `From: MAILER-DAEMON@x.example\nSubject: failure notice\n\n${'> '.repeat(200_000)}x`,
    `From: MAILER-DAEMON@x.example\nSubject: failure notice\n\n${'mailbox '.repeat(200_000)}full`,
    `From: MAILER-DAEMON@x.example\nContent-Type: text/html\n\n${'<'.repeat(500_000)}`,
    `From: MAILER-DAEMON@x.example\nSubject: ${'=?utf-8?Q?=20?= '.repeat(50_000)}\n\n550 5.1.1 unknown user\n`,
    `From: MAILER-DAEMON@x.example\nSubject: failure notice\n\n${'a@'.repeat(200_000)}\n${'bounce+'.repeat(50_000)}@`,
    Buffer.alloc(2_000_000, 0),
    '',
  ];
  const start = performance.now();
  for (const mail of hostile) await read(mail);
  for (let cut = 0; cut < completeReport.length; cut += 7) await read(completeReport.slice(0, cut));
  assert.ok(performance.now() - start < 20_000, `${performance.now() - start} ms`);
});

test.run();

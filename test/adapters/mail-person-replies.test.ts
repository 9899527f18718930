// Replies of people are not reports, even if they name our message and quote or attach a report about another message.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mailboxReports } from '../../adapters/mail/mailbox.ts';
import { localOutgoing } from '../../hosts/testing/local-outgoing.ts';

const test = suite('replies of people');
const secret = 'a secret for tests only';
const messageId = '<msg_01JD3Q5S8ZK2M4N6P8R0T2V4W6@example.com>';

async function kindsOf(mail: string): Promise<readonly string[]> {
  const headers = { authorization: `Bearer ${secret}` };
  const body = Buffer.from(mail.replaceAll('\n', '\r\n'));
  const reports = await mailboxReports({ secret }).read({ headers, body, now: 0, outgoing: localOutgoing() });
  return reports.map(({ fact }) => fact.kind);
}

const reply = (subject: string, text: string, from = 'ada@example.org') =>
  `From: ${from}\nTo: hello@example.com\nSubject: ${subject}\nIn-Reply-To: ${messageId}\n\n${text}\n`;

const status =
  'Reporting-MTA: dns; mx.example.org\n\nFinal-Recipient: rfc822; suport@shop.example\nAction: failed\nStatus: 5.1.1\n';

const replyWithAttachment = (type: string, from: string): string => `From: ${from}
To: hello@example.com
Subject: Re: Hello
In-Reply-To: ${messageId}
MIME-Version: 1.0
Content-Type: ${type}; boundary=b

--b
Content-Type: text/plain

This came back.
--b
Content-Type: message/delivery-status

${status}
--b
Content-Type: message/rfc822

Message-ID: <1@shop.example>
To: suport@shop.example

Hello
--b--
`;

const replies: readonly (readonly [string, string])[] = [
  ['copies a report about another mail', reply('Re: Hello', `This came back:\n\n${status}`)],
  ['quotes a report about another mail', reply('Re: Hello', `This came back:\n\n${status.replace(/^/gm, '> ')}`)],
  ['attaches a report about another mail', replyWithAttachment('multipart/mixed', 'ada@example.org')],
  [
    'writes about a rejected payment',
    reply('Re: Payment rejected', 'I get "account not found", and my order has not been sent.'),
  ],
  [
    'quotes a rejection',
    reply('Re: Hello', '> Your upload was automatically rejected:\n> The account does not exist.'),
  ],
  ['copies a rejection', reply('Re: Hello', 'Your upload was automatically rejected:\nThe account does not exist.')],
];

for (const [name, mail] of replies)
  test(`the parser does not read as a report the reply of a person who ${name}`, async () => {
    assert.equal(await kindsOf(mail), []);
  });

test('the parser reads the same text as a report if a mail server sent it', async () => {
  const server = 'MAILER-DAEMON@mx.example.org';
  assert.equal(await kindsOf(reply('Undelivered Mail', status, server)), ['bounced']);
  assert.equal(await kindsOf(replyWithAttachment('multipart/report', 'robot@mx.example.org')), ['bounced']);
});

test.run();

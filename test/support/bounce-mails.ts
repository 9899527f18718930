// Bounce mails in the formats of real servers. Each is about one message, and identifies this message only as the real server would.

/** The message that bounced. */
export interface ReturnedMessage {
  readonly to: string;
  readonly messageId: string;
}

/** A mail that a test passes on, and the expected result */
export interface UnusualMail {
  readonly name: string;
  /** The class and the subtype of the bounce, another kind of report, or the reason for which the mail is ignored. */
  readonly expected: string;
  readonly mail: (message: ReturnedMessage) => string | Buffer;
}

const headerOf = ({ to, messageId }: ReturnedMessage): string =>
  `Received: from mail.example.com by mx.example.org; Mon, 2 Nov 2026 09:00:00 +0000\nMessage-ID: <${messageId}@example.com>\nFrom: hello@example.com\nTo: ${to}\nSubject: Hello\n`;

interface MailParts {
  readonly from?: string;
  readonly more?: string;
}

const rawMail = (subject: string, text: string, { from = 'MAILER-DAEMON@mx.example.org', more = '' }: MailParts = {}) =>
  `Return-Path: <>\nFrom: ${from}\nTo: hello@example.com\nSubject: ${subject}\n${more}\n${text}\n`;

export const qmail = (reply: string) => (message: ReturnedMessage) =>
  rawMail(
    'failure notice',
    `Hi. This is the qmail-send program at mx.example.com.\nI'm afraid I wasn't able to deliver your message to the following addresses.\nThis is a permanent error; I've given up. Sorry it didn't work out.\n\n<${message.to}>:\n${reply}\n\n--- Below this line is a copy of the message.\n\nReturn-Path: <hello@example.com>\n${headerOf(message)}\nHello`,
  );

export const exim = (reply: string) => (message: ReturnedMessage) =>
  rawMail(
    'Mail delivery failed: returning message to sender',
    `This message was created automatically by mail delivery software.\n\nA message that you sent could not be delivered to one or more of its\nrecipients. This is a permanent error. The following address(es) failed:\n\n  ${message.to}\n    host mx.example.org [192.0.2.1]\n    ${reply.replaceAll('\n', '\n    ')}\n\n------ This is a copy of the message, including all the headers. ------\n\n${headerOf(message)}\nHello`,
    { from: 'Mail Delivery System <Mailer-Daemon@mx.example.com>' },
  );

export const bounceForPeople =
  (subject: string, textOf: (message: ReturnedMessage) => string, from?: string) => (message: ReturnedMessage) =>
    rawMail(subject, `${textOf(message)}\n\n${headerOf(message)}\nHello`, from === undefined ? {} : { from });

/** A machine-readable report. `words`: the diagnostic text of the server, which may be bytes in any character set. */
export const report =
  (status: string, words: string | Buffer, action = 'failed') =>
  (message: ReturnedMessage): Buffer => {
    const before = rawMail(
      'Undelivered Mail Returned to Sender',
      `--b\nContent-Type: text/plain; charset=us-ascii\n\nYour message could not be delivered.\n--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example.org\n\nFinal-Recipient: rfc822; ${message.to}\nAction: ${action}\nStatus: ${status}\nDiagnostic-Code: smtp; `,
      { more: 'MIME-Version: 1.0\nContent-Type: multipart/report; report-type=delivery-status; boundary=b\n' },
    ).trimEnd();
    const after = `\n\n--b\nContent-Type: text/rfc822-headers\n\n${headerOf(message)}\n--b--\n`;
    return Buffer.concat([Buffer.from(`${before} `), Buffer.from(words), Buffer.from(after)]);
  };

export const robotReply =
  (subject: string, text: string, more = '') =>
  ({ to, messageId }: ReturnedMessage) =>
    rawMail(subject, text, { from: `Ada <${to}>`, more: `In-Reply-To: <${messageId}@example.com>\n${more}` });

export const international = ({ to, messageId }: ReturnedMessage): string => {
  const local = [...to.slice(0, to.indexOf('@'))].map((sign) => `\\x{${sign.codePointAt(0)?.toString(16)}}`).join('');
  return rawMail(
    'Undelivered Mail',
    `--b\nContent-Type: message/global-delivery-status\n\nReporting-MTA: dns; mx.example.org\n\nFinal-Recipient: utf-8; ${local}@xn--e1afmkfd.example\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 No such user\n\n--b\nContent-Type: message/global-headers\n\nMessage-ID: <${messageId}@example.com>\nTo: ${to.replace(/@.*/, '@пример.example')}\n\n--b--\n`,
    { more: 'MIME-Version: 1.0\nContent-Type: multipart/report; boundary=b\n' },
  );
};

const reportInHex = (hexadecimal: string): Buffer =>
  Buffer.concat([Buffer.from('550 5.1.1 '), Buffer.from(hexadecimal, 'hex')]);

/** Replies of servers in character sets other than UTF-8: GBK, Shift_JIS and Windows-1251. */
export const bytesOf = {
  chineseUnknown: reportInHex('cad5bcfec8cbb2bbb4e6d4da'),
  chineseSpam: reportInHex('bedcbef8c0acbbf8d3cabcfe'),
  japaneseFull: reportInHex('976597ca92b489df'),
  russianFull: reportInHex('cfeef7f2eee2fbe920fff9e8ea20efeeebeeed'),
} as const;

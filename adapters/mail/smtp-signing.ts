// DKIM signing of the SMTP adapter (RFC 6376): checks a key before anything is sent, and lists the signed headers. Called by
// smtp.ts. A message whose key cannot sign is never sent unsigned.
import type DKIM from 'nodemailer/lib/dkim';
import { type DkimKey, MailError } from '../../plugins/email/port/index.ts';
import { readDkimKey } from '../kit/dkim-key.ts';
import { asciiDomain } from '../kit/mail-fields.ts';

/**
 * The signed headers: those that RFC 6376, section 5.4.1, recommends, and those of RFC 8058, which one-click unsubscribing
 * requires to be signed. Headers that a message lacks are skipped.
 */
const signedHeaders = [
  ...['From', 'Sender', 'Reply-To', 'Subject', 'Date', 'Message-ID', 'To', 'Cc', 'In-Reply-To', 'References'],
  ...['MIME-Version', 'Content-Type', 'Content-Transfer-Encoding', 'Content-ID', 'Content-Description'],
  ...['List-Id', 'List-Help', 'List-Unsubscribe', 'List-Unsubscribe-Post', 'List-Subscribe', 'Feedback-ID'],
].join(':');

/** The key and the signed headers, as nodemailer's options. */
export type Signing = DKIM.SingleKeyOptions;

const signingOrFault = ({ domain, selector, privateKey }: DkimKey): Signing | string => {
  const domainName = typeof domain === 'string' ? asciiDomain(domain) : undefined;
  if (domainName === undefined) return '`domain` is not a domain. Give one such as example.com.';
  // A selector may have several labels.
  if (typeof selector !== 'string' || asciiDomain(`${selector}.example`) === undefined || !/^[!-~]+$/.test(selector))
    return '`selector` is not valid. Give the part before ._domainkey in the name of the DNS record, such as mail.';
  const key = readDkimKey(privateKey);
  if ('fault' in key) return `\`privateKey\` cannot sign. ${key.fault}`;
  return { domainName, keySelector: selector, privateKey: key, headerFieldNames: signedHeaders };
};

/** The adapter's own key. @throws TypeError if it cannot sign */
export function ownSigning(key: DkimKey): Signing {
  const signing = signingOrFault(key);
  if (typeof signing === 'string') throw new TypeError(`smtpMail: dkim: ${signing}`);
  return signing;
}

/** The key of one message. @throws MailError if it cannot sign: the message waits until the key is fixed */
export function signingOf(key: DkimKey): Signing {
  const signing = signingOrFault(key);
  if (typeof signing === 'string')
    throw new MailError('transient', `The DKIM key of the message: ${signing}`, { unavailable: true });
  return signing;
}

// Checks that Amazon SNS signed a message (docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html). Called by
// ses.ts. The certificate is fetched only from SNS's own hosts, and cached.

import { verify, X509Certificate } from 'node:crypto';
import { parseUrl } from '../../core/contract/values/parse-url.ts';
import { ReportRefused, type ReportRequest } from '../../plugins/email/port/index.ts';
import { type ReportFields, textOf } from '../kit/report-fields.ts';

/** The signed fields, in this order. Fields that a message lacks are left out. */
const signedFields: Readonly<Record<string, readonly string[]>> = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
  UnsubscribeConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
};

/** Signature versions and their hashes. */
const hashes: Readonly<Record<string, string>> = { '1': 'sha1', '2': 'sha256' };

const host = /^sns\.[a-z0-9-]{1,40}\.amazonaws\.com(?:\.cn)?$/;
const certificatePath = /^\/SimpleNotificationService-[\w-]{1,100}\.pem$/;

/** Whether a URL points to SNS itself, over https and its default port. */
export function isSnsUrl(text: string): boolean {
  const url = parseUrl(text);
  if (url === undefined) return false;
  const { protocol, hostname, port, username, password } = url;
  return protocol === 'https:' && port === '' && username === '' && password === '' && host.test(hostname);
}

const timeoutMs = 5_000;
/**
 * The maximum number of cached certificates. SNS has fewer, and strangers cannot add any, because only SNS's own URLs
 * are accepted.
 */
const maxCertificates = 20;

/** Fetches certificates, each only once. */
export type Certificates = (url: string, request: ReportRequest) => Promise<X509Certificate>;

export function createCertificates(): Certificates {
  const cached = new Map<string, X509Certificate>();
  return async (url, { outgoing, now }) => {
    if (!isSnsUrl(url)) throw new ReportRefused('The certificate is not one of SNS.');
    const { href, pathname, search, hash } = new URL(url);
    if (!certificatePath.test(pathname) || search !== '' || hash !== '')
      throw new ReportRefused('The certificate is not one of SNS.');
    const cachedCertificate = cached.get(href);
    if (cachedCertificate !== undefined && Date.parse(cachedCertificate.validTo) > now) return cachedCertificate;
    const answer = await outgoing.request({ url, method: 'GET', headers: {}, timeoutMs });
    if (answer.status !== 200 || answer.cut) throw new Error(`SNS answered ${answer.status} for its certificate.`);
    const certificate = new X509Certificate(Buffer.from(answer.body));
    if (cached.size >= maxCertificates) cached.clear();
    cached.set(href, certificate);
    return certificate;
  };
}

const stringToSign = (fields: ReportFields, names: readonly string[]): string =>
  names.flatMap((name) => (typeof fields[name] === 'string' ? [`${name}\n${fields[name]}\n`] : [])).join('');

/** @throws ReportRefused for a message that SNS did not sign; Error if the certificate cannot be fetched */
export async function checkSnsSignature(
  fields: ReportFields,
  request: ReportRequest,
  certificates: Certificates,
): Promise<void> {
  const type = textOf(fields['Type']);
  const names = Object.hasOwn(signedFields, type) ? signedFields[type] : undefined;
  const version = textOf(fields['SignatureVersion']);
  const hash = Object.hasOwn(hashes, version) ? hashes[version] : undefined;
  if (names === undefined || hash === undefined) throw new ReportRefused('The message is not signed by SNS.');
  const certificate = await certificates(textOf(fields['SigningCertURL']), request);
  const { now } = request;
  const isCurrent = Date.parse(certificate.validFrom) <= now && now < Date.parse(certificate.validTo);
  const signature = Buffer.from(textOf(fields['Signature']), 'base64');
  const isSigned = verify(hash, Buffer.from(stringToSign(fields, names)), certificate.publicKey, signature);
  if (!isCurrent || !isSigned) throw new ReportRefused('The signature is wrong.');
}

// Verifies deliveries in a receiver: published as postrider/webhooks, for programs that use nothing else of Postrider.
// Uses Node's crypto only. A refusal names its reason and repeats neither secret nor body.
import { createHash, timingSafeEqual } from 'node:crypto';
import { types } from 'node:util';
import type { WebhookEvent } from './received-event.ts';
import { hasHeader, ownPrefixIn, readHeader, type WebhookHeaders } from './received-headers.ts';
import {
  brandedSignature,
  headerPrefix,
  secretPrefix,
  standardHeaders,
  standardKey,
  standardSignature,
} from './signature.ts';
import { WebhookVerificationError } from './verification-error.ts';

export type { CustomWebhookEvent, ServiceWebhookEvent, WebhookEvent, WebhookEventType } from './received-event.ts';
export type { WebhookHeaders } from './received-headers.ts';
export {
  isWebhookVerificationError,
  WebhookVerificationError,
  type WebhookVerificationReason,
} from './verification-error.ts';

/** A received request, and the secrets to check it with. */
export interface WebhookToVerify {
  /** The exact bytes of the request: never a parsed body. */
  readonly body: string | ArrayBuffer | ArrayBufferView;
  /** `request.headers` of Node, Express or Fastify, a `Headers`, or an object of names and values. */
  readonly headers: WebhookHeaders;
  /** The subscription's secret, `whsec_…`; several if more than one is valid, for example for two subscriptions. */
  readonly secret: string | readonly string[];
  /** The largest difference between the time of the attempt and now, in seconds, in both directions. (Default: 300) */
  readonly toleranceSeconds?: number;
  /**
   * The service whose own headers `X-<Service>-…` are verified if they are present. (Default: the service that the
   * headers name)
   */
  readonly service?: string;
  /** The current time in milliseconds. (Default: Date.now()) */
  readonly now?: number;
}

/**
 * Returns the event, after its signature proved that the sender has the secret. Accepts the headers of Standard
 * Webhooks or the service's own headers. If both are present, both must be right. @throws WebhookVerificationError
 */
export function verifyWebhook(webhook: WebhookToVerify): WebhookEvent {
  const body = bytesOf(webhook.body);
  const secrets = secretsOf(webhook.secret);
  for (const signed of signaturesIn(webhook)) checkSignature(signed, webhook, secrets, body);
  return eventOf(body);
}

/** The signatures of the two families of headers, as far as they are present: at least one. */
function signaturesIn({ headers, service }: WebhookToVerify): readonly Signed[] {
  const prefix = service === undefined ? ownPrefixIn(headers) : headerPrefix(service);
  const hasBranded = prefix !== undefined && hasHeader(headers, `${prefix}Signature`);
  const branded = hasBranded ? [readBranded(headers, prefix)] : [];
  return branded.length > 0 && !hasHeader(headers, standardHeaders.signature)
    ? branded
    : [readStandard(headers), ...branded];
}

function checkSignature(
  { timestamp, signatures, sign }: Signed,
  webhook: WebhookToVerify,
  secrets: readonly string[],
  body: Uint8Array,
): void {
  checkTimestamp(timestamp, webhook);
  const expected = secrets.map((secret) => sign(secret, timestamp, body));
  // Every pair is compared, so that the time of the check reveals nothing.
  let matches = false;
  for (const signature of signatures)
    for (const expectedSignature of expected) matches = isSame(signature, expectedSignature) || matches;
  if (!matches)
    throw new WebhookVerificationError(
      'signature_mismatch',
      'No signature of the webhook matches: the body differs from the body that was sent, or this is not the secret of the subscription.',
    );
}

/** The values of a family of headers, and the function that computes its signature. */
interface Signed {
  readonly timestamp: string;
  readonly signatures: readonly string[];
  readonly sign: (secret: string, timestamp: string, body: Uint8Array) => string;
}

function readStandard(headers: WebhookHeaders): Signed {
  const id = readHeader(headers, standardHeaders.id);
  const timestamp = readHeader(headers, standardHeaders.timestamp);
  const signatures = signaturesOf(readHeader(headers, standardHeaders.signature), {
    name: standardHeaders.signature,
    separator: ' ',
    pattern: /^(v\d{1,3}[a-z]{0,3}),([A-Za-z0-9+/]+={0,2})$/,
    formatText: 'v1,<base64>',
  });
  const sign: Signed['sign'] = (secret, time, body) => standardSignature(keyOf(secret), id, time, body);
  return { timestamp, signatures, sign };
}

function readBranded(headers: WebhookHeaders, prefix: string): Signed {
  const name = `${prefix}Signature`;
  const timestamp = readHeader(headers, `${prefix}Timestamp`);
  const format = { name, separator: ',', pattern: /^(v\d{1,3}[a-z]{0,3})=([0-9a-f]+)$/, formatText: 'v1=<hex>' };
  return { timestamp, signatures: signaturesOf(readHeader(headers, name), format), sign: brandedSignature };
}

interface SignatureFormat {
  readonly name: string;
  readonly separator: string;
  readonly pattern: RegExp;
  readonly formatText: string;
}

/** The signatures of version 1. */
function signaturesOf(text: string, { name, separator, pattern, formatText }: SignatureFormat): string[] {
  const parts = text.split(separator).map((part) => pattern.exec(part));
  if (parts.includes(null))
    throw new WebhookVerificationError('signature_malformed', `The header ${name} is not written as ${formatText}.`);
  const signatures = parts.flatMap((part) => (part?.[1] === 'v1' ? [part[2] ?? ''] : []));
  if (signatures.length === 0)
    throw new WebhookVerificationError(
      'version_unknown',
      `The header ${name} has no signature of version v1: update postrider in the program that verifies it.`,
    );
  return signatures;
}

function checkTimestamp(text: string, { toleranceSeconds = 300, now = Date.now() }: WebhookToVerify): void {
  // Every comparison with NaN is false, so every age would be accepted.
  if (!Number.isFinite(toleranceSeconds) || toleranceSeconds < 0 || !Number.isFinite(now))
    throw new RangeError('toleranceSeconds must be a number of seconds from 0 on, and now one of milliseconds.');
  if (!/^[1-9]\d{0,11}$/.test(text))
    throw new WebhookVerificationError(
      'timestamp_malformed',
      "The webhook's timestamp is not a number of Unix seconds.",
    );
  const age = Math.floor(now / 1000) - Number(text);
  if (age > toleranceSeconds)
    throw new WebhookVerificationError(
      'timestamp_too_old',
      `The webhook was sent ${age} seconds ago, and more than ${toleranceSeconds} are not accepted: it may be a replay by an attacker.`,
    );
  if (-age > toleranceSeconds)
    throw new WebhookVerificationError(
      'timestamp_in_future',
      `The webhook was sent ${-age} seconds in the future, and more than ${toleranceSeconds} are not accepted: is this machine's clock right?`,
    );
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares in constant time, for texts of any length. */
const isSame = (first: string, second: string): boolean => timingSafeEqual(digest(first), digest(second));

function secretsOf(input: string | readonly string[]): readonly string[] {
  const secrets = [input].flat();
  if (secrets.length === 0) throw new WebhookVerificationError('secret_malformed', 'No secret was given.');
  for (const secret of secrets) keyOf(secret);
  return secrets;
}

function keyOf(secret: string): Uint8Array {
  const key = typeof secret === 'string' ? standardKey(secret) : undefined;
  if (key !== undefined) return key;
  throw new WebhookVerificationError('secret_malformed', `The secret ${secretFault(secret)}`);
}

function secretFault(secret: unknown): string {
  if (typeof secret !== 'string') return 'is not text: is its environment variable set?';
  if (secret.trim() !== secret) return 'has white space around it: remove it.';
  if (secret.includes('…'))
    return 'is the shortened form that lists show: use the whole secret, which was shown when it was created.';
  if (!secret.startsWith(secretPrefix)) return `does not begin with ${secretPrefix}.`;
  return `is not complete: the text after ${secretPrefix} must be base64, exactly as it was shown.`;
}

const rawBody =
  'Verify the bytes of the request. Express: express.raw({ type: "application/json" }) on this route, before express.json(). Fastify: addContentTypeParser("application/json", { parseAs: "buffer" }, (request, body, done) => done(null, body)) in the plugin of this route.';

function bytesOf(body: unknown): Uint8Array {
  if (typeof body === 'string') return Buffer.from(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  // Also accepts a buffer of another realm, as in tests, and shared memory.
  if (types.isAnyArrayBuffer(body)) return new Uint8Array(body);
  if (body === undefined || body === null)
    throw new WebhookVerificationError('body_missing', `There is no body: pass the body of the request. ${rawBody}`);
  throw new WebhookVerificationError('body_parsed', `The body was parsed already. ${rawBody}`);
}

/** Parses the event. If a signed body is not an event, another program that has the secret has signed it. */
function eventOf(body: Uint8Array): WebhookEvent {
  let event: unknown;
  try {
    event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    event = undefined;
  }
  const candidate = event as Partial<WebhookEvent> | null | undefined;
  if (typeof candidate?.type === 'string' && typeof candidate.id === 'string') return candidate as WebhookEvent;
  throw new WebhookVerificationError('body_malformed', 'The body is signed, but it is not an event in JSON.');
}

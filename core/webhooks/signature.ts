// What is signed, and with which key: the one place that both the signing and the verifying side take it from.
// Needs Node's crypto and nothing else, because postrider/webhooks is published without a dependency.
import { createHmac } from 'node:crypto';

/** In front of every signing secret. */
export const secretPrefix = 'whsec_';

/** The names of the headers that carry a signature; lower-case, as HTTP/2 writes them. */
export const standardHeaders = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const;

/** `X-Acme-` of "Acme": what the headers of a service's own begin with. */
export function headerPrefix(service: string): string {
  return `X-${service.replace(/[^A-Za-z0-9]/g, '')}-`;
}

/** The bytes behind `whsec_`, or undefined where it is no secret: canonical base64 of 24 to 64 bytes. */
export function standardKey(secret: string): Uint8Array | undefined {
  if (!secret.startsWith(secretPrefix)) return undefined;
  const encoded = secret.slice(secretPrefix.length);
  const key = Buffer.from(encoded, 'base64');
  // Several spellings decode to the same bytes; only the one that was issued is the secret.
  return key.length >= 24 && key.length <= 64 && key.toString('base64') === encoded ? key : undefined;
}

/** The signature of `X-<Service>-Signature`: over `t=<timestamp>|<body>`; the key is the whole secret as UTF-8. */
export function brandedSignature(secret: string, timestamp: string, body: Uint8Array): string {
  return createHmac('sha256', secret).update(`t=${timestamp}|`).update(body).digest('hex');
}

/** The signature of Standard Webhooks: over `<id>.<timestamp>.<body>`; the key is what the base64 of the secret holds. */
export function standardSignature(key: Uint8Array, id: string, timestamp: string, body: Uint8Array): string {
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
}

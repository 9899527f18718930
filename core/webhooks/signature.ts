// The signed text and the key, shared by the signing and the verifying side. Uses Node's crypto only, because
// postrider/webhooks is published without a dependency.
import { createHmac } from 'node:crypto';

/** The prefix of every signing secret. */
export const secretPrefix = 'whsec_';

/** The names of the headers of Standard Webhooks; in lower case, as HTTP/2 writes them. */
export const standardHeaders = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const;

/** `X-Acme-` for "Acme": the prefix of the service's own headers. */
export function headerPrefix(service: string): string {
  return `X-${service.replace(/[^A-Za-z0-9]/g, '')}-`;
}

/** The key bytes after `whsec_`, or undefined for an invalid secret: canonical base64 of 24 to 64 bytes. */
export function standardKey(secret: string): Uint8Array | undefined {
  if (!secret.startsWith(secretPrefix)) return undefined;
  const encoded = secret.slice(secretPrefix.length);
  const key = Buffer.from(encoded, 'base64');
  // Several base64 texts decode to the same bytes; only the issued text is valid.
  return key.length >= 24 && key.length <= 64 && key.toString('base64') === encoded ? key : undefined;
}

/** The signature in `X-<Service>-Signature`: over `t=<timestamp>|<body>`; the key is the whole secret as UTF-8. */
export function brandedSignature(secret: string, timestamp: string, body: Uint8Array): string {
  return createHmac('sha256', secret).update(`t=${timestamp}|`).update(body).digest('hex');
}

/** The signature of Standard Webhooks: over `<id>.<timestamp>.<body>`; the key is the decoded base64 of the secret. */
export function standardSignature(key: Uint8Array, id: string, timestamp: string, body: Uint8Array): string {
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
}

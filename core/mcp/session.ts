// Identifies the client. `initialize` names the client only once, so the name is kept in a signed, self-contained
// Mcp-Session-Id; the server stores nothing. Only the audit reads it: an id that is missing, altered or from another key is
// ignored.
import { timingSafeEqual } from 'node:crypto';
import type { Keyring } from '../contract/ports/keyring.ts';
import { isRecord } from '../projections/schema-parts.ts';

const purpose = 'mcp-session';
const maxLength = 200;

/** `name/version` of an Implementation object, or undefined. */
export function clientName(info: unknown): string | undefined {
  if (!isRecord(info) || typeof info.name !== 'string') return undefined;
  const text = typeof info.version === 'string' && info.version !== '' ? `${info.name}/${info.version}` : info.name;
  const clean = text
    .replace(/\p{Cc}/gu, '')
    .trim()
    .slice(0, maxLength);
  return clean === '' ? undefined : clean;
}

// The signature includes the id of the key, so a leaked session id is worthless with any other key.
const signature = (keyring: Keyring, payload: string, keyId: string): Buffer =>
  Buffer.from(keyring.mac(`${keyId}.${payload}`, purpose));

/** The session id for `client` with this key. */
export function writeSession(keyring: Keyring, client: string, keyId: string): string {
  const payload = Buffer.from(client, 'utf8').toString('base64url');
  return `${payload}.${signature(keyring, payload, keyId).toString('base64url')}`;
}

/** The client named by a session id, or undefined. */
export function readSession(keyring: Keyring, session: string | undefined, keyId: string): string | undefined {
  if (session === undefined || session.length > 2_000) return undefined;
  const [payload = '', signatureText = '', ...extraParts] = session.split('.');
  if (payload === '' || extraParts.length > 0) return undefined;
  const expected = signature(keyring, payload, keyId);
  const bytes = Buffer.from(signatureText, 'base64url');
  if (bytes.length !== expected.length || !timingSafeEqual(bytes, expected)) return undefined;
  return Buffer.from(payload, 'base64url').toString('utf8').slice(0, maxLength);
}

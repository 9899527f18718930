// Codes and tokens: random texts that are stored as hashes only. Their beginning shows people and secret scanners their
// kind.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { ServiceContext } from '../../../core/index.ts';

/** `access`: presented at the MCP endpoint. `refresh`: exchanged for new tokens. `code`: exchanged for the first tokens. */
export type SecretKind = 'access' | 'refresh' | 'code';

const beginningOf = (slug: string, kind: SecretKind): string => `${slug}_${kind}_`;
const secretPattern = /^[A-Za-z0-9_-]{43}$/;

/** A new secret of 256 random bits. */
export const createSecret = ({ ports }: ServiceContext, kind: SecretKind): string =>
  beginningOf(ports.service.slug, kind) + Buffer.from(ports.randomness.bytes(32)).toString('base64url');

/** The hash under which a secret is stored. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** The hash of a given text; undefined if the text does not have the form of such a secret, so that no look-up is needed. */
export function hashOfSecret({ ports }: ServiceContext, kind: SecretKind, text: string): string | undefined {
  const beginning = beginningOf(ports.service.slug, kind);
  return text.startsWith(beginning) && secretPattern.test(text.slice(beginning.length)) ? hashOf(text) : undefined;
}

/** Whether a PKCE verifier (RFC 7636) belongs to a challenge of the method S256. */
export function isVerifier(verifier: string, challenge: string): boolean {
  if (!/^[A-Za-z0-9\-._~]{43,128}$/.test(verifier)) return false;
  const computed = Buffer.from(createHash('sha256').update(verifier).digest('base64url'));
  const expected = Buffer.from(challenge);
  return computed.length === expected.length && timingSafeEqual(computed, expected);
}

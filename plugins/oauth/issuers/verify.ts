// Verifies a token of the program's own authorisation server: signature, issuer, audience, time and kind. Called by bearer.ts.
import { coreErrors } from '../../../core/index.ts';
import { createKeys } from './keys.ts';
import type { TokenClaims, TrustedIssuer } from './options.ts';

/** Only algorithms with private keys. With a shared secret, an attacker could use the public key as the secret. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** RFC 9068 requires at+jwt; widespread servers send JWT or no type. Any other type of token is refused. */
const acceptedTypes: ReadonlySet<string> = new Set(['at+jwt', 'application/at+jwt', 'jwt']);

/** The tolerated difference between the clocks of two servers, in seconds. */
const clockTolerance = 5;

/** A verified token. */
export interface VerifiedToken {
  readonly trusted: TrustedIssuer;
  readonly claims: TokenClaims;
  readonly clientId: string;
  /** Milliseconds since the epoch; `issuedAt` is 0 if the token does not say. */
  readonly expiresAt: number;
  readonly issuedAt: number;
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** Makes the function that checks tokens. It resolves to undefined if the token is refused. */
export function createVerifier(issuers: readonly TrustedIssuer[]) {
  const issuersByName = new Map(issuers.map((trusted) => [trusted.issuer, { trusted, keys: createKeys(trusted) }]));

  return async (token: string, now: number): Promise<VerifiedToken | undefined> => {
    if (token.split('.').length !== 3) return undefined;
    const jose = await import('jose');
    const { JOSEError, JWKSInvalid, JWKSTimeout } = jose.errors;
    let trustedIssuer: ReturnType<typeof issuersByName.get>;
    try {
      trustedIssuer = issuersByName.get(jose.decodeJwt(token).iss ?? '');
    } catch {
      return undefined;
    }
    if (trustedIssuer === undefined) return undefined;
    const { trusted, keys } = trustedIssuer;
    try {
      const { payload, protectedHeader } = await jose.jwtVerify(token, await keys(jose), {
        issuer: trusted.issuer,
        audience: trusted.audience,
        algorithms,
        clockTolerance,
        currentDate: new Date(now),
        requiredClaims: ['exp'],
      });
      if (protectedHeader.typ !== undefined && !acceptedTypes.has(protectedHeader.typ.toLowerCase())) return undefined;
      // A token that is bound to a key is refused, because this server does not check the proof of that key.
      if (payload['cnf'] !== undefined) return undefined;
      const clientId = textOf(payload['client_id']) ?? textOf(payload['azp']);
      if (clientId === undefined) return undefined;
      return {
        trusted,
        claims: payload,
        clientId: clientId.slice(0, 500),
        expiresAt: (payload.exp ?? 0) * 1_000,
        issuedAt: (payload.iat ?? 0) * 1_000,
      };
    } catch (error) {
      const isRefused = error instanceof JOSEError && !(error instanceof JWKSTimeout || error instanceof JWKSInvalid);
      // jose throws a plain error of its own if the keys' server answers with a status other than 200.
      if (isRefused && error.code !== 'ERR_JOSE_GENERIC') return undefined;
      throw coreErrors.service_unavailable({ retryAfterSeconds: 5, cause: error });
    }
  };
}

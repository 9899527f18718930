// A refusal of the token, revocation and registration endpoints (RFC 6749, section 5.2), and the lifetime of grants.
import type { Leash } from '../../../core/index.ts';
import { refreshMs } from './issue.ts';

/** A refusal as data. */
export interface OAuthRefusal {
  readonly error: string;
  readonly description: string;
}

export const refuse = (error: string, description: string): OAuthRefusal => ({ error, description });

/** One answer for unknown, expired, used and foreign codes and tokens, so that people who guess learn nothing. */
export const invalidGrant = (): OAuthRefusal =>
  refuse(
    'invalid_grant',
    'The code or token is unknown, expired, used or not for this client. Ask for authorisation again.',
  );

/** The time at which a grant ends unless its client uses it: after 30 days, or when its leash ends. */
export function grantExpiry(now: number, leash: Leash | undefined): number {
  const leashEnd = leash?.expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(leash.expiresAt);
  return Math.min(leashEnd, now + refreshMs);
}

// Checks the issuers that the program trusts: a mistake here would accept tokens that were meant for others.

import { checkOptions } from '../../../core/index.ts';
import { parseUrl } from '../../../core/unstable.ts';
import type { TrustedIssuer } from './options.ts';

const isLoopback = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname);

/** Anybody on the network could replace keys that are fetched without encryption. */
function checkUrl(name: string, url: string): void {
  const parsed = parseUrl(url);
  if (parsed === undefined || !(parsed.protocol === 'https:' || isLoopback(parsed)))
    throw new TypeError(`oauthPlugin: ${name} is ${JSON.stringify(url)}. Give an https URL.`);
}

/** @throws TypeError that names the mistake */
export function checkIssuers(issuers: readonly TrustedIssuer[]): void {
  const checkedIssuers = new Set<string>();
  for (const trusted of issuers) {
    checkOptions<TrustedIssuer>('oauthPlugin issuers', trusted, {
      issuer: 'required',
      audience: 'required',
      jwks: 'optional',
      access: 'required',
    });
    const { issuer, audience, jwks, access } = trusted;
    checkUrl('an issuer', issuer);
    if (typeof jwks === 'string') checkUrl(`jwks of ${issuer}`, jwks);
    if (typeof audience !== 'string' || audience.trim() === '')
      throw new TypeError(
        `oauthPlugin: the issuer ${issuer} needs an audience, or tokens for other services would be accepted.`,
      );
    if (typeof access !== 'function') throw new TypeError(`oauthPlugin: access of ${issuer} must be a function.`);
    if (checkedIssuers.has(issuer)) throw new TypeError(`oauthPlugin: the issuer ${issuer} is listed twice.`);
    checkedIssuers.add(issuer);
  }
}

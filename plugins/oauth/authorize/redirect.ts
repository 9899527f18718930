// The redirect that ends a request for authorisation (RFC 6749, section 4.1.2, with `iss` of RFC 9207).
import type { ServiceContext } from '../../../core/index.ts';
import { issuerOf } from '../addresses.ts';

/** The client's redirect URI with the result of its request. */
export function redirectBack(
  { ports }: ServiceContext,
  redirectUri: string,
  state: string | undefined,
  result: Readonly<Record<string, string>>,
): string {
  const query = new URLSearchParams({
    ...result,
    ...(state === undefined ? {} : { state }),
    iss: issuerOf(ports.service),
  });
  // The registered URI keeps its spelling and its own query, because a client may compare them.
  const separator = redirectUri.includes('?') ? (/[?&]$/.test(redirectUri) ? '' : '&') : '?';
  return `${redirectUri}${separator}${query}`;
}

// The parameter `scope` of OAuth: scopes separated by spaces (RFC 6749, section 3.3).
import type { ServiceContext } from '../../core/index.ts';

/**
 * Scopes of OpenID Connect that many clients ask for. They have no effect here, because every grant has a refresh token
 * anyway.
 */
const ignoredScopes: ReadonlySet<string> = new Set(['offline_access', 'openid', 'profile', 'email']);

export const scopeWords = (text: string): string[] => [...new Set(text.split(' ').filter((word) => word !== ''))];

/**
 * The declared scopes that a client asks for. (Default, also if it asks only for ignored scopes: the scopes of the preset `read`)
 */
export function grantableScopes({ ports }: ServiceContext, text: string | undefined): string[] {
  const requested = scopeWords(text ?? '').filter((scope) => !ignoredScopes.has(scope));
  return requested.length === 0 ? ports.scopes.preset('read') : requested.filter((scope) => ports.scopes.has(scope));
}

/** The scopes that a client asks for among its granted scopes; undefined if it asks for all of them, or names none. */
export function narrowedScopes(
  { ports }: ServiceContext,
  text: string,
  granted: readonly string[],
): string[] | undefined {
  const requested = scopeWords(text).filter((scope) => !ignoredScopes.has(scope));
  const scopes = ports.scopes.expand(requested);
  return requested.length === 0 || granted.every((scope) => scopes.has(scope)) ? undefined : requested;
}

/** Whether a client asks for more than it was granted. */
export function asksForMore({ ports }: ServiceContext, text: string, granted: readonly string[]): boolean {
  const scopes = ports.scopes.expand(granted);
  return scopeWords(text).some((scope) => !ignoredScopes.has(scope) && !scopes.has(scope));
}

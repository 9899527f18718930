// The URLs of the authorisation server, all below the service's public URL. Used by metadata, routes and tokens.

import type { ServiceInfo } from '../../core/index.ts';
import { parseUrl } from '../../core/unstable.ts';

/** The paths of the server, below the mount. */
export const paths = {
  tools: '/v1/mcp',
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  revoke: '/oauth/revoke',
  register: '/oauth/register',
  keys: '/oauth/keys',
  resourceMetadata: '/.well-known/oauth-protected-resource',
  serverMetadata: '/.well-known/oauth-authorization-server',
  openidMetadata: '/.well-known/openid-configuration',
} as const;

/** The URL of a path. @throws Error if the service has no public URL; its routes are hidden then */
export function urlOf({ publicUrl }: Pick<ServiceInfo, 'publicUrl'>, path: string): string {
  if (publicUrl === undefined) throw new Error('The authorisation server needs the option publicUrl.');
  return `${publicUrl}${path}`;
}

/** The identifier of the server (RFC 8414): the service's public URL. */
export const issuerOf = (service: Pick<ServiceInfo, 'publicUrl'>): string => urlOf(service, '');

/** The identifier of the resource (RFC 8707): the MCP endpoint. */
export const resourceOf = (service: Pick<ServiceInfo, 'publicUrl'>): string => urlOf(service, paths.tools);

/**
 * Normalises a URL, because it identifies the same resource with and without a slash at its end. Undefined for a text
 * that is not a URL.
 */
function normalisedUrl(url: string): string | undefined {
  const parsed = parseUrl(url);
  if (parsed === undefined) return undefined;
  const { origin, pathname, search, hash, username, password } = parsed;
  if (hash !== '' || username !== '' || password !== '') return undefined;
  return `${origin}${pathname.replace(/\/$/, '')}${search}`;
}

/** Whether the URL is the MCP endpoint of this service. */
export function isOwnResource(service: Pick<ServiceInfo, 'publicUrl'>, url: string): boolean {
  const normalised = normalisedUrl(url);
  return normalised !== undefined && normalised === normalisedUrl(resourceOf(service));
}

// Well-known addresses of a mounted service (RFC 8615): clients look at the root of the origin, with the path of the mount after
// the name (RFC 8414, section 3.1; RFC 9728, section 3.1). Called by rest.ts. Pure.

import { parseUrl } from '../contract/values/parse-url.ts';

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * Makes the function that turns such a path into the path below the mount: with a mount at /messaging,
 * `/.well-known/x/messaging/y` is `/.well-known/x/y`. Every other path stays as it is.
 */
export function createWellKnown(publicUrl: string | undefined): (path: string) => string {
  const mount = publicUrl === undefined ? '' : (parseUrl(publicUrl)?.pathname ?? '').replace(/\/+$/, '');
  if (mount === '') return (path) => path;
  const mountPattern = new RegExp(`^(/\\.well-known/[^/]+)${escapeRegExp(mount)}(/.*)?$`);
  return (path) => (path.startsWith('/.well-known/') ? path.replace(mountPattern, '$1$2') : path);
}

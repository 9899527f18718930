// Normalises host names, so that routes can compare them. Called by the routing and by plugins that store their own host
// names.

import { parseUrl } from './parse-url.ts';

/** A name that is already normalised, without a port. Most requests have such a name, which needs no URL parser. */
const plainName = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,62})(\.[a-z0-9_]([a-z0-9_-]{0,62}))*$/;

/** Characters that end a host in a URL or cannot be in a host. The URL parser would drop some of them silently. */
const forbiddenCharacter = /[\s/\\?#@%,]/;

/** The last text and its name, cached: requests have the same few hosts, and a host with a port needs the URL parser. */
let lastText = '';
let lastName: string | undefined;

/**
 * Normalises the host of a Host header, an `:authority` or an X-Forwarded-Host: lower-case, ASCII (IDNA, as in the URL
 * standard), without port and without trailing dot. IPv6 addresses keep their brackets. Undefined for any other text.
 */
export function hostName(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (text === lastText) return lastName;
  lastName = normalised(text);
  lastText = text;
  return lastName;
}

function normalised(text: string): string | undefined {
  if (plainName.test(text) && !/(^|[.])(xn--|\d+$|0x[0-9a-f]*$)/.test(text)) return text;
  if (text === '' || text.length > 1_000 || forbiddenCharacter.test(text)) return undefined;
  const url = parseUrl(`http://${text}`);
  if (url === undefined) return undefined;
  const name = url.hostname.replace(/\.$/, '');
  return name === '' || name.length > 253 ? undefined : name;
}

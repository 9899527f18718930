// The name of a host as routes compare it. Called by the routing and by plugins that keep host names of their own.

/** A name in its final form, without a port: most requests have one and need no URL parser. */
const plainName = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,62})(\.[a-z0-9_]([a-z0-9_-]{0,62}))*$/;

/** What ends a host in a URL, or belongs to no host at all. The URL parser would drop some of it without a word. */
const outside = /[\s/\\?#@%,]/;

/**
 * The host of a Host header, an `:authority` or an X-Forwarded-Host: lower-case, in its ASCII form (IDNA, as the URL
 * standard writes it), without port and without a dot at the end. IPv6 addresses keep their brackets. Undefined for what
 * is no host.
 */
export function hostName(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (plainName.test(text) && !/(^|[.])(xn--|\d+$|0x[0-9a-f]*$)/.test(text)) return text;
  if (text === '' || text.length > 1_000 || outside.test(text)) return undefined;
  const url = `http://${text}`;
  if (!URL.canParse(url)) return undefined;
  const name = new URL(url).hostname.replace(/\.$/, '');
  return name === '' || name.length > 253 ? undefined : name;
}

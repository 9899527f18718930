// Decides the redirect URIs that a client may register and use: RFC 8252 and OAuth 2.1. Pure.
import { parseUrl } from '../../../core/unstable.ts';
import type { RedirectKind } from '../authorize/consent-request.ts';

const maxLength = 1_000;
const loopbackHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Schemes that run code, read files or belong to other protocols. They are refused even if the program registers them. */
const forbiddenSchemes: ReadonlySet<string> = new Set(
  'about blob chrome data file filesystem ftp ftps intent jar javascript mailto resource sms tel vbscript view-source ws wss'.split(
    ' ',
  ),
);

const schemeOf = (url: URL): string => url.protocol.slice(0, -1);

/**
 * The kind of a redirect URI; undefined if the URI is not allowed. `schemes`: the private-use schemes that the program
 * registered.
 */
export function redirectKindOf(uri: string, schemes: ReadonlySet<string>): RedirectKind | undefined {
  // URL parsers drop tabs, line breaks and outer spaces, so a text that contains them is refused.
  const url = uri.length > maxLength || /[^!-~]/.test(uri) || uri.includes('#') ? undefined : parseUrl(uri);
  if (url === undefined) return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  const scheme = schemeOf(url);
  // URL parsers supply missing slashes, but browsers treat such a URI as a path of the current page.
  if (/^https?$/.test(scheme) && !/^https?:\/\/[^/\\]/i.test(uri)) return undefined;
  if (scheme === 'https') return 'https';
  if (scheme === 'http') return loopbackHosts.has(url.hostname) ? 'loopback' : undefined;
  if (forbiddenSchemes.has(scheme)) return undefined;
  return scheme.includes('.') || schemes.has(scheme) ? 'private' : undefined;
}

/** Whether the scheme of a URI is one that the program could register for an app. */
const hasAppScheme = (uri: string): boolean =>
  /^[a-z][a-z0-9+-]*:[!-~]*$/i.test(uri) &&
  parseUrl(uri) !== undefined &&
  !forbiddenSchemes.has(schemeOf(new URL(uri))) &&
  !/^https?:/i.test(uri);

/**
 * The allowed URIs of a client. App URIs whose scheme the program did not register are left out. They do not make the
 * list invalid, because clients often send them together with usable URIs. Undefined if any other URI is invalid, or if
 * no URI remains.
 */
export function allowedRedirects(uris: readonly string[], schemes: ReadonlySet<string>): readonly string[] | undefined {
  const allowed = [...new Set(uris)].filter((uri) => redirectKindOf(uri, schemes) !== undefined);
  const isWrong = uris.some((uri) => !allowed.includes(uri) && !hasAppScheme(uri));
  return isWrong || allowed.length === 0 ? undefined : allowed;
}

/** The host that receives the code; for a private-use scheme, the scheme with its colon. */
export function redirectHostOf(uri: string, kind: RedirectKind): string {
  const url = new URL(uri);
  return kind === 'private' ? url.protocol : url.host;
}

/** A loopback URI without its port; undefined for other URIs. */
function withoutPort(uri: string): string | undefined {
  const [, origin, rest = ''] =
    /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d{1,5})?(?:\/(.*))?$/i.exec(uri) ?? [];
  return origin === undefined ? undefined : `${origin.toLowerCase()}/${rest}`;
}

/** Whether two loopback URIs differ only in the port, which a native program gets from its system. */
function differsInPort(registered: string, uri: string): boolean {
  const registeredUri = withoutPort(registered);
  return registeredUri !== undefined && registeredUri === withoutPort(uri);
}

/** Whether the client registered this URI. */
export const isRegistered = (registered: readonly string[], uri: string): boolean =>
  registered.some((one) => one === uri || differsInPort(one, uri));

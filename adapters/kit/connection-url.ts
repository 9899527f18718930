// Checks a connection string that may contain a password, before a driver parses it. If a character is unescaped, a driver treats
// a part of the password as the host, and its error shows it. Called by the factories that accept such a string. Its errors never
// contain a part of the string.

import { parseUrl } from '../../core/contract/values/parse-url.ts';

/** Parameters whose value may contain an @, such as `user=app@server`. */
const mayHoldAt = 'user|password|application_name|options';

const strayAt = new RegExp(`^[^?]*@|[?&](?!(?:${mayHoldAt})=)[^&]*@`, 'i');

/** Whether a URL parser finds the intended user, password and host in `text`. */
function readsAsMeant(text: string): boolean {
  // Only pg allows an empty host, which is then in a parameter.
  const url = /^postgres(?:ql)?:/i.test(text) ? text.replace('@/', '@localhost/') : text;
  const parsed = /^[a-z][a-z0-9+.-]*:[^#]*$/i.test(url) ? parseUrl(url) : undefined;
  if (parsed === undefined) return false;
  // A / or ? in a password ends the host early, so that the @ before the host comes after it.
  const { pathname, search } = parsed;
  return !strayAt.test(`${pathname}${search}`);
}

/**
 * Accepts an @ or a : in a password if parsers understand it, and the path of a socket.
 * @throws RangeError without any part of the string
 */
export function checkConnectionUrl(option: string, text: string, example: string): void {
  if (text.startsWith('/') || readsAsMeant(text)) return;
  throw new RangeError(
    `${option} cannot be read as a connection string, which looks like ${example}. In the user and the password, @ : / ? # and % must be percent-encoded: write encodeURIComponent(password) there.`,
  );
}

// Checks a connection string that may contain a password, before a driver parses it. If a character in the password is
// not escaped, a driver takes a part of the password for the host, and shows it in an error. Called by the factories
// that accept such a string. The errors of this check never contain a part of the string.

import { parseUrl } from '../../core/contract/values/parse-url.ts';

/** Parameters whose value may contain an @, such as `user=app@server`. */
const parametersWithAt = 'user|password|application_name|options';

const strayAt = new RegExp(`^[^?]*@|[?&](?!(?:${parametersWithAt})=)[^&]*@`, 'i');

/** Whether a URL parser finds the intended user, password and host in `text`. */
function isUnambiguous(text: string): boolean {
  // Only pg accepts an empty host; the host is then in a parameter.
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
  if (text.startsWith('/') || isUnambiguous(text)) return;
  throw new RangeError(
    `${option} cannot be read as a connection string, which looks like ${example}. In the user and the password, @ : / ? # and % must be percent-encoded: write encodeURIComponent(password) there.`,
  );
}

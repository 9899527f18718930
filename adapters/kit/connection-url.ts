// Checks a connection string that may hold a password, before a driver reads it: with a character unescaped, a driver
// takes a piece of the password for the host, and its error shows it. Called by the factories that take such a string.
// Shows nothing of the string, and never lets an error escape that does.

/** Parameters whose value may hold an @: `user=app@server`. */
const mayHoldAt = 'user|password|application_name|options';

const strayAt = new RegExp(`^[^?]*@|[?&](?!(?:${mayHoldAt})=)[^&]*@`, 'i');

/** Whether a URL parser finds in `text` the user, the password and the host that were meant. */
function readsAsMeant(text: string): boolean {
  // Only pg allows an empty host, which then stands in a parameter.
  const url = /^postgres(?:ql)?:/i.test(text) ? text.replace('@/', '@localhost/') : text;
  if (!/^[a-z][a-z0-9+.-]*:/i.test(url) || !URL.canParse(url) || url.includes('#')) return false;
  // A password with / or ? ends the host early: the @ before the host then stands behind it.
  const { pathname, search } = new URL(url);
  return !strayAt.test(`${pathname}${search}`);
}

/**
 * An @ or a : in a password, which parsers understand, is taken, and so is the path of a socket.
 * @throws RangeError without any piece of the string
 */
export function checkConnectionUrl(option: string, text: string, example: string): void {
  if (text.startsWith('/') || readsAsMeant(text)) return;
  throw new RangeError(
    `${option} cannot be read as a connection string, which looks like ${example}. In the user and the password, @ : / ? # and % must be percent-encoded: write encodeURIComponent(password) there.`,
  );
}

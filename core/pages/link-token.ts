// The original token of a link. Mail programs and chats may append the characters after an address in a text: `)`, `.`,
// `>`. Called for each public route with a `{token}`. Pure.

/** The token at the beginning of a path parameter: tokens have letters, digits, `-`, `_`, and between them `.` and `~`. */
export function linkToken(text: string): string {
  const [token = ''] = /^[\w.~-]*/.exec(text) ?? [];
  let end = token.length;
  while (end > 0 && '.~'.includes(token.charAt(end - 1))) end -= 1;
  return token.slice(0, end);
}

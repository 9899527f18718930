// Compares the text of a post with what X stores of it: URLs become t.co links, `&`, `<` and `>` become entities, and attachments
// add a link. Called by x.ts. Pure.

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>' };

const shortLink = /https:\/\/t\.co\/\w+/;

const plain = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll('\r\n', '\n')
    .replaceAll(/[ \t]+/g, ' ')
    .trim();

/**
 * Whether a text is these parts with a URL, which has no space in it, between each two. The first place of a part will do: behind a later
 * one there is nothing that is not behind the first.
 */
function isJoinedByUrls(text: string, [first = '', ...rest]: readonly string[]): boolean {
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  const isUrl = (end: number): boolean => end > at && !/\s/.test(text.slice(at, end));
  for (const part of rest) {
    const next = text.indexOf(part, at + 1);
    if (!isUrl(next)) return false;
    at = next + part.length;
  }
  return text.endsWith(last) && isUrl(text.length - last.length);
}

/** Whether a stored text can be what became of a published one. */
export function isTextOnX(published: string, stored: string): boolean {
  const decoded = stored.replace(/&(amp|lt|gt);/g, (_whole, name: string) => entities[name] ?? '');
  const wanted = plain(published);
  // The link of an attachment stands at the end, without one in the published text.
  const withoutLast = decoded.trimEnd().replace(/https:\/\/t\.co\/\w+$/, '');
  return [decoded, withoutLast].some((text) => isJoinedByUrls(wanted, plain(text).split(shortLink)));
}

// Compares the text of a post with the text that X stores: URLs become t.co links, `&`, `<` and `>` become entities, and
// attachments add a link. Called by x.ts. Pure.

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>' };

const shortLink = /https:\/\/t\.co\/\w+/;

const normalised = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll('\r\n', '\n')
    .replaceAll(/[ \t]+/g, ' ')
    .trim();

/**
 * Whether a text consists of these parts with a URL, which contains no space, between each two. Using the first position of a
 * part is enough: any text after a later position is also after the first.
 */
function isJoinedByUrls(text: string, [first = '', ...rest]: readonly string[]): boolean {
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  const isUrl = (end: number): boolean => end > at && !/\s/.test(text.slice(at, end));
  for (const part of rest) {
    const nextIndex = text.indexOf(part, at + 1);
    if (!isUrl(nextIndex)) return false;
    at = nextIndex + part.length;
  }
  return text.endsWith(last) && isUrl(text.length - last.length);
}

/** Whether a stored text may come from a published text. */
export function isTextOnX(published: string, stored: string): boolean {
  const decoded = stored.replace(/&(amp|lt|gt);/g, (_whole, name: string) => entities[name] ?? '');
  const expected = normalised(published);
  // The link of an attachment is at the end; the published text has no such link.
  const withoutLast = decoded.trimEnd().replace(/https:\/\/t\.co\/\w+$/, '');
  return [decoded, withoutLast].some((text) => isJoinedByUrls(expected, normalised(text).split(shortLink)));
}

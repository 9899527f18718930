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

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);

/** Whether a stored text can be what became of a published one. */
export function isTextOnX(published: string, stored: string): boolean {
  const decoded = stored.replace(/&(amp|lt|gt);/g, (_whole, name: string) => entities[name] ?? '');
  const wanted = plain(published);
  // The link of an attachment stands at the end, without one in the published text.
  return [decoded, decoded.replace(new RegExp(`\\s*${shortLink.source}\\s*$`), '')].some((text) => {
    const parts = plain(text).split(shortLink).map(escaped);
    return new RegExp(`^${parts.join('\\S+')}$`, 'u').test(wanted);
  });
}

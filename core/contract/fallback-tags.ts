// Which languages stand in for another one. Called where a text is chosen for a person: pages, and mails in several languages.

/** The script of a tag, such as Hant of zh-TW; undefined where it is no tag. */
function scriptOf(tag: string): string | undefined {
  try {
    return new Intl.Locale(tag).maximize().script;
  } catch {
    return undefined;
  }
}

/**
 * The tags under which there may be a text for a reader of this one, the best first: the tag, shorter and shorter (RFC 4647, section
 * 3.4), and its language in its script. Never in another script: readers of zh-TW are no readers of zh, which is written as in China.
 */
export function fallbackTags(tag: string): string[] {
  const parts = tag.split('-');
  const shorter = parts.map((_, index) => parts.slice(0, parts.length - index).join('-'));
  const script = scriptOf(tag);
  if (script === undefined) return shorter;
  const tags = [tag, ...shorter.slice(1, -1), `${parts[0]}-${script}`, ...shorter.slice(-1)];
  return [...new Set(tags)].filter((one) => one === tag || scriptOf(one) === script);
}

// Fallback languages for a language tag. Called when a text is chosen for a person: pages, and mails in several languages.

import { memoised } from './memo.ts';

const knownScript = memoised(1_000, (tag): string | undefined => {
  try {
    return new Intl.Locale(tag).maximize().script;
  } catch {
    return undefined;
  }
});

/** The script of a language tag, such as Hant for zh-TW; undefined if the text is not a tag, or longer than tags in use are. */
const scriptOf = (tag: string): string | undefined => (tag.length > 100 ? undefined : knownScript(tag));

/**
 * The tags of texts that a reader with this tag can read, best first: the tag itself, then shorter and shorter forms of it (RFC
 * 4647, section 3.4), and its language in its script. Tags in another script are left out: zh is written as in China, so it is
 * not a fallback for zh-TW.
 */
export function fallbackTags(tag: string): string[] {
  const parts = tag.split('-');
  const shorter = parts.map((_, index) => parts.slice(0, parts.length - index).join('-'));
  const script = scriptOf(tag);
  if (script === undefined) return shorter;
  const tags = [tag, ...shorter.slice(1, -1), `${parts[0]}-${script}`, ...shorter.slice(-1)];
  return [...new Set(tags)].filter((candidate) => candidate === tag || scriptOf(candidate) === script);
}

// Destinations of links: which URLs are accepted, and how they are stored. Pure; nothing is looked up.

import { domainToUnicode } from 'node:url';
import { z } from '../../core/index.ts';
import { parseUrl } from '../../core/unstable.ts';

/** Browsers drop or reinterpret these characters in a URL, so a URL must not contain them. */
const forbiddenCharacters = /[\p{Cc}\p{Zs}\p{Zl}\p{Zp}\p{Cf}\\<>"^`{|}]/u;

/** The reason why a text is not a valid destination; undefined if it is valid. */
export function destinationFault(text: string): string | undefined {
  if (text.length > 2_048) return 'Give at most 2,048 characters.';
  if (forbiddenCharacters.test(text))
    return 'Leave out spaces, control characters, backslashes and quotes, or percent-encode them.';
  const url = /^https?:\/\/[^/]/i.test(text) ? parseUrl(text) : undefined;
  if (url === undefined) return 'Give a whole URL that begins with http:// or https://.';
  const { username, password, hostname } = url;
  if (username !== '' || password !== '') return 'Leave out the user name and password.';
  return hostname === '' ? 'Name a host.' : undefined;
}

const isAscii = (text: string): boolean => /^[\x21-\x7e]*$/.test(text);

/**
 * The stored form. Plain ASCII is stored unchanged. Other URLs are normalised by the URL standard, so that the host is in its
 * ASCII form.
 */
const toStoredUrl = (text: string): string => (isAscii(text) ? text : new URL(text).href);

/** A destination in the input. */
export const destinationUrl = z
  .string()
  .min(1)
  .superRefine((text, context) => {
    const fault = destinationFault(text);
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
  })
  .transform(toStoredUrl)
  .refine((url) => url.length <= 2_048, 'Give at most 2,048 characters, counted after percent-encoding.')
  .meta({ examples: ['https://example.com/spring?ref=mail'] });

const scripts = [
  ['Latin', /\p{Script=Latin}/u],
  ['Greek', /\p{Script=Greek}/u],
  ['Cyrillic', /\p{Script=Cyrillic}/u],
  ['Armenian', /\p{Script=Armenian}/u],
  ['Hebrew', /\p{Script=Hebrew}/u],
  ['Arabic', /\p{Script=Arabic}/u],
  ['Han', /\p{Script=Han}/u],
  ['Hiragana', /\p{Script=Hiragana}/u],
  ['Katakana', /\p{Script=Katakana}/u],
  ['Bopomofo', /\p{Script=Bopomofo}/u],
  ['Hangul', /\p{Script=Hangul}/u],
] as const;
const knownScripts =
  /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Hangul}\p{Script=Common}\p{Script=Inherited}]/u;

/** Scripts that may be mixed (UTS #39, section 5.2, "Highly Restrictive"). */
const allowedMixes: readonly ReadonlySet<string>[] = [
  new Set(['Latin', 'Han', 'Hiragana', 'Katakana']),
  new Set(['Latin', 'Han', 'Bopomofo']),
  new Set(['Latin', 'Han', 'Hangul']),
];

function isMixed(label: string): boolean {
  const usedScripts = scripts.filter(([, script]) => script.test(label)).map(([name]) => name as string);
  if ([...label].some((char) => !knownScripts.test(char))) usedScripts.push('another');
  return usedScripts.length > 1 && !allowedMixes.some((set) => usedScripts.every((name) => set.has(name)));
}

/**
 * Whether a label of the URL's host mixes scripts that are not normally mixed. Hosts that imitate other names do that.
 */
export function mixesScripts(url: string): boolean {
  const host = domainToUnicode(new URL(url).hostname);
  return host.split('.').some(isMixed);
}

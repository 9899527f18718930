// LinkedIn's text format (learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/little-text-format): reserved
// characters follow a backslash, and a hashtag is written as `{hashtag|\#|word}`. Called by linkedin.ts. Pure.
import { allLinksIn } from '../../core/contract/values/text-links.ts';

const reserved = /[|{}@[\]()<>#\\*_~]/g;
const hashtag = /(?<![\p{L}\p{M}\p{N}_#&])#((?=[\p{N}]*[\p{L}])[\p{L}\p{M}\p{N}]+)(?![\p{L}\p{M}\p{N}_])/gu;

const escaped = (text: string): string => text.replace(reserved, String.raw`\$&`);

/** A plain text in LinkedIn's format, with its hashtags. The fragment of a link is not a hashtag. */
export function toLittleText(text: string): string {
  const links = allLinksIn(text);
  let result = '';
  let at = 0;
  for (const { 0: match, 1: word = '', index } of text.matchAll(hashtag)) {
    while ((links[0]?.end ?? text.length) <= index) links.shift();
    if ((links[0]?.start ?? text.length) <= index) continue;
    result += `${escaped(text.slice(at, index))}{hashtag|\\#|${word}}`;
    at = index + match.length;
  }
  return result + escaped(text.slice(at));
}

/** The readable text of a text in LinkedIn's format. */
export const fromLittleText = (text: string): string =>
  text
    .replace(/\{hashtag\|\\?#\|([^{}]*)\}/g, '#$1')
    .replace(/@\[((?:[^[\]\\]|\\.)*)\]\([^()]*\)/g, '$1')
    .replace(/\\([|{}@[\]()<>#\\*_~])/g, '$1');

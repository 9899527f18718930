// LinkedIn's text format (learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/little-text-format): reserved
// characters stand behind a backslash, hashtags in a template. Called by linkedin.ts. Pure.

const reserved = /[|{}@[\]()<>#\\*_~]/g;
const hashtag = /(?<![\p{L}\p{M}\p{N}_#&])#((?=[\p{N}]*[\p{L}])[\p{L}\p{M}\p{N}]+)(?![\p{L}\p{M}\p{N}_])/gu;

const escaped = (text: string): string => text.replace(reserved, String.raw`\$&`);

/** A plain text in LinkedIn's format, with its hashtags. */
export function toLittleText(text: string): string {
  let written = '';
  let at = 0;
  for (const { 0: found, 1: word = '', index } of text.matchAll(hashtag)) {
    written += `${escaped(text.slice(at, index))}{hashtag|\\#|${word}}`;
    at = index + found.length;
  }
  return written + escaped(text.slice(at));
}

/** What people read of a text in LinkedIn's format. */
export const fromLittleText = (text: string): string =>
  text
    .replace(/\{hashtag\|\\?#\|([^{}]*)\}/g, '#$1')
    .replace(/@\[((?:[^[\]\\]|\\.)*)\]\([^()]*\)/g, '$1')
    .replace(/\\([|{}@[\]()<>#\\*_~])/g, '$1');

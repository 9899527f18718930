// The hash of content that would become public, and its differences from the content that is public now. Pure. Used by the
// plugins that hold calls and by the plugins whose operations propose.

import { hash } from 'node:crypto';
import type { ContentJson, PublishableContent } from '../contract/declaration/content-kind.ts';
import { shortened } from '../contract/values/shorten.ts';
import { canonicalJson } from './fingerprint.ts';

/** One difference; null means a missing value. */
export interface ContentDifference {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

const maxEntries = 100;
const maxText = 2_000;

/** SHA-256 of the canonical JSON, in hex. */
export const contentHash = (content: ContentJson): string => hash('sha256', canonicalJson(content), 'hex');

const isPlain = (value: unknown): value is ContentJson =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value for people; long texts are cut. */
function valueForPeople(value: unknown): unknown {
  if (value === undefined) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length <= maxText ? value : shortened(text, maxText, { at: 'letter' });
}

function collect(path: string, before: unknown, after: unknown, differences: ContentDifference[]): void {
  if (differences.length === maxEntries) return;
  if (isPlain(before) && isPlain(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    for (const name of names) collect(path === '' ? name : `${path}.${name}`, before[name], after[name], differences);
    return;
  }
  if (canonicalJson(before ?? null) === canonicalJson(after ?? null)) return;
  differences.push({ path, before: valueForPeople(before), after: valueForPeople(after) });
}

/** At most 100 differences from the public content, with texts cut at 2,000 characters; null if nothing is public. */
export function contentDiff({ before, content }: PublishableContent): ContentDifference[] | null {
  if (before === null) return null;
  const differences: ContentDifference[] = [];
  collect('', before, content, differences);
  return differences;
}

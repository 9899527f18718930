// Conditional requests on a resource's version (RFC 9110, section 13): the strong tag of an answer, and what If-Match says.
// Called by the pipeline and by rest.ts.
import { hash } from 'node:crypto';
import { coreErrors } from './core-errors.ts';

/** What an operation says of the version of its answer: a number that counts up, or a text. */
export type Version = string | number;

/** The characters that a tag may have between its quotes (RFC 9110, section 8.8.3). A version with others is hashed. */
const plainTag = /^[!#-~]*$/;

/** A version as the tag between the quotes. Each representation has bytes, and so a tag, of its own. */
export function versionTag(version: Version, representation?: string): string {
  const text = String(version);
  const tag = plainTag.test(text) ? text : hash('sha256', text, 'base64url').slice(0, 22);
  return representation === undefined ? tag : `${tag}-${representation}`;
}

/** What the caller demands the resource to be: any version, or one of these tags. */
export type IfMatch = '*' | readonly string[];

const listForm = /^\s*(?:(?:W\/)?"[!#-~\x80-\xff]*"\s*)(?:,\s*(?:(?:W\/)?"[!#-~\x80-\xff]*"\s*)?)*$/;

/**
 * The If-Match header. A weak tag is left out: it matches nothing (section 8.8.3.2).
 * Undefined for what is no list of tags: it must not pass for a header that is not there.
 */
export function parseIfMatch(header: string): IfMatch | undefined {
  if (header.trim() === '*') return '*';
  if (!listForm.test(header)) return undefined;
  return [...header.matchAll(/(W\/)?"([^"]*)"/g)].flatMap(([, weak, tag = '']) => (weak === undefined ? [tag] : []));
}

/** @throws version_conflict unless the current version is what both If-Match and the body's field name, where they do */
export function checkVersion(ifMatch: IfMatch | undefined, current: Version, expected: Version | undefined): void {
  const named = ifMatch === undefined || ifMatch === '*' || ifMatch.includes(versionTag(current));
  if (!named || (expected !== undefined && String(expected) !== String(current)))
    throw coreErrors.version_conflict({ current });
}

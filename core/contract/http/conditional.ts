// Conditional requests on a resource's version (RFC 9110, section 13): the strong ETag of a response, and the If-Match
// header. Called by the pipeline and by rest.ts.
import { hash } from 'node:crypto';
import { coreErrors } from '../errors/core-errors.ts';

/** The version of a response: a number that counts up, or a text. */
export type Version = string | number;

/**
 * The characters that an ETag may have between its quotes (RFC 9110, section 8.8.3). If a version has other characters, it is
 * hashed.
 */
const plainTag = /^[!#-~]*$/;

/** A version as the text between the quotes of an ETag. Each representation has its own bytes and therefore its own ETag. */
export function versionTag(version: Version, representation?: string): string {
  const text = String(version);
  const tag = plainTag.test(text) ? text : hash('sha256', text, 'base64url').slice(0, 22);
  return representation === undefined ? tag : `${tag}-${representation}`;
}

/** The versions that the caller accepts: any version (`*`), or one of these tags. */
export type IfMatch = '*' | readonly string[];

const listPattern = /^\s*(?:(?:W\/)?"[!#-~\x80-\xff]*"\s*)(?:,\s*(?:(?:W\/)?"[!#-~\x80-\xff]*"\s*)?)*$/;

/**
 * Parses If-Match. Weak tags are left out, because they never match (section 8.8.3.2). Returns undefined for invalid text,
 * which must not be treated like a missing header.
 */
export function parseIfMatch(header: string): IfMatch | undefined {
  if (header.trim() === '*') return '*';
  if (!listPattern.test(header)) return undefined;
  return [...header.matchAll(/(W\/)?"([^"]*)"/g)].flatMap(([, weak, tag = '']) => (weak === undefined ? [tag] : []));
}

/** The end of a tag that names a representation. */
const mediaType = /^[a-z]+\/[\w.+-]+$/i;

/** Whether the tag belongs to the version, in any representation. */
function isTagOf(tag: string, version: Version): boolean {
  const plain = versionTag(version);
  return tag === plain || (tag.startsWith(`${plain}-`) && mediaType.test(tag.slice(plain.length + 1)));
}

/**
 * @throws version_conflict unless the current version matches If-Match (if given) and the body's field (if given)
 */
export function checkVersion(ifMatch: IfMatch | undefined, current: Version, expected: Version | undefined): void {
  const matches = ifMatch === undefined || ifMatch === '*' || ifMatch.some((tag) => isTagOf(tag, current));
  if (!matches || (expected !== undefined && String(expected) !== String(current)))
    throw coreErrors.version_conflict({ current });
}

// The tokens in thumbnail URLs: the composition, its version, and a MAC over both. A token gives access to this version only.
import type { CorePorts } from '../../core/index.ts';

type Keyring = CorePorts['keyring'];

/** The composition and version that a token names. */
export interface ThumbnailName {
  readonly compositionId: string;
  readonly version: number;
}

const purpose = 'composition thumbnails';
const prefix = 'cmp_';
/** RFC 2104, section 5: at least half of the hash. */
const macBytes = 16;
const form = /^([0-9A-Z]{26})-([0-9a-z]{1,8})-([\w-]{22})$/;

const signedText = ({ compositionId, version }: ThumbnailName): string => `${compositionId} ${version}`;

export function thumbnailToken(keyring: Keyring, name: ThumbnailName): string {
  const mac = Buffer.from(keyring.mac(signedText(name), purpose).subarray(0, macBytes)).toString('base64url');
  return `${name.compositionId.slice(prefix.length)}-${name.version.toString(36)}-${mac}`;
}

/** Reads a token; undefined if the service did not make it. */
export function readThumbnailToken(keyring: Keyring, token: string): ThumbnailName | undefined {
  const [, id, version = '', mac = ''] = form.exec(token) ?? [];
  if (id === undefined) return undefined;
  const name = { compositionId: `${prefix}${id}`, version: Number.parseInt(version, 36) };
  return keyring.verifyMac(Buffer.from(mac, 'base64url'), signedText(name), purpose) ? name : undefined;
}

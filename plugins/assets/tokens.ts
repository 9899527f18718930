// The tokens of /assets/{token}. A token contains its use, the asset, the expiry, and a MAC over these. Old tokens stay valid while the
// keyring contains the key that made them.
import type { CorePorts } from '../../core/index.ts';

type Keyring = CorePorts['keyring'];

/** A token that the service made. */
export interface AssetToken {
  readonly use: 'read' | 'write';
  readonly assetId: string;
  /** Milliseconds since the epoch, in whole seconds. */
  readonly expiresAt: number;
}

const purpose = 'asset urls';
const prefix = 'asset_';
/** RFC 2104, section 5: at least half of the hash. */
const macBytes = 16;
const form = /^([rw])([0-9A-Z]{26})([0-9a-z]{6,8})-([\w-]{22})$/;

const signedText = ({ use, assetId, expiresAt }: AssetToken): string => `${use} ${assetId} ${expiresAt}`;

export function makeToken(keyring: Keyring, token: AssetToken): string {
  const mac = Buffer.from(keyring.mac(signedText(token), purpose).subarray(0, macBytes)).toString('base64url');
  const seconds = Math.floor(token.expiresAt / 1_000).toString(36);
  return `${token.use === 'read' ? 'r' : 'w'}${token.assetId.slice(prefix.length)}${seconds}-${mac}`;
}

/** Reads a token; undefined if the service did not make it for this use, or if it has expired. */
export function readToken(keyring: Keyring, use: AssetToken['use'], text: string, now: number): AssetToken | undefined {
  const [, letter, id, seconds = '', mac = ''] = form.exec(text) ?? [];
  if (id === undefined || letter !== (use === 'read' ? 'r' : 'w')) return undefined;
  const token: AssetToken = { use, assetId: `${prefix}${id}`, expiresAt: Number.parseInt(seconds, 36) * 1_000 };
  const isOurs = keyring.verifyMac(Buffer.from(mac, 'base64url'), signedText(token), purpose);
  return isOurs && token.expiresAt > now ? token : undefined;
}

/** Rounds a time down to whole seconds, the precision of tokens. */
export const wholeSeconds = (at: number): number => Math.floor(at / 1_000) * 1_000;

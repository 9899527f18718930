// The tokens of /assets/{token}: what they allow, the asset, the end, and a MAC over all of it. Keys of the keyring that open old
// values keep old tokens valid.
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

const signed = ({ use, assetId, expiresAt }: AssetToken): string => `${use} ${assetId} ${expiresAt}`;

export function makeToken(keyring: Keyring, token: AssetToken): string {
  const mac = Buffer.from(keyring.mac(signed(token), purpose).subarray(0, macBytes)).toString('base64url');
  const seconds = Math.floor(token.expiresAt / 1_000).toString(36);
  return `${token.use === 'read' ? 'r' : 'w'}${token.assetId.slice(prefix.length)}${seconds}-${mac}`;
}

/** Checks a token; undefined for one that the service did not make for this use, and for one that has ended. */
export function readToken(keyring: Keyring, use: AssetToken['use'], text: string, now: number): AssetToken | undefined {
  const [, letter, id, seconds = '', mac = ''] = form.exec(text) ?? [];
  if (id === undefined || letter !== (use === 'read' ? 'r' : 'w')) return undefined;
  const token: AssetToken = { use, assetId: `${prefix}${id}`, expiresAt: Number.parseInt(seconds, 36) * 1_000 };
  const isOurs = keyring.verifyMac(Buffer.from(mac, 'base64url'), signed(token), purpose);
  return isOurs && token.expiresAt > now ? token : undefined;
}

/** Tokens hold whole seconds. */
export const wholeSeconds = (at: number): number => Math.floor(at / 1_000) * 1_000;

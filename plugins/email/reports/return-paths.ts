// `ctx.services.returnPaths`: the address to which reports about a message come back, `bounce+<token>@…`. The token is the send's id
// and a MAC over it, so that a report identifies its message, and nobody can forge a token. It does not contain an address.
import { type CorePorts, parseAddress } from '../../../core/index.ts';

type Keyring = CorePorts['keyring'];

/** The addresses to which reports about messages come back. */
export interface BouncesOptions {
  /** A domain whose mail the program passes on to the reports `mailbox`, such as bounces.example.com. */
  readonly domain: string;
}

/** `ctx.services.returnPaths`. */
export interface ReturnPathsService {
  /** The return path of a send; undefined if the program names no domain for them. */
  of(sendId: string): string | undefined;
  /** The send of a return path that this service made, at any domain; undefined for any other address. */
  read(address: string): string | undefined;
}

const purpose = 'email return path';
const prefix = 'snd_';
const before = 'bounce+';
/** Crockford's base32, as in the ids, in lower case: servers may change the case of a local part. */
const digits = '0123456789abcdefghjkmnpqrstvwxyz';
/** 128 bits, in 26 letters. The local part has 59 of the 64 letters of RFC 5321, section 4.5.3.1.1. */
const macBytes = 16;
const form = /^bounce\+([0-9a-z]{26})([0-9a-z]{26})@/;

function toBase32(bytes: Uint8Array): string {
  let [text, value, bits] = ['', 0, 0];
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xffff;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += digits[(value >> bits) & 31];
    }
  }
  return bits === 0 ? text : text + digits[(value << (5 - bits)) & 31];
}

function fromBase32(text: string): Uint8Array {
  const bytes: number[] = [];
  let [value, bits] = [0, 0];
  for (const letter of text) {
    value = ((value << 5) | Math.max(digits.indexOf(letter), 0)) & 0xffff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes.push((value >> bits) & 255);
    }
  }
  return Uint8Array.from(bytes);
}

/** @throws TypeError for a domain that no address can have */
export function createReturnPaths(keyring: Keyring, options: BouncesOptions | undefined): ReturnPathsService {
  const domain = options?.domain.toLowerCase();
  if (domain !== undefined && parseAddress(`bounce@${domain}`) === undefined)
    throw new TypeError('emailPlugin: `bounces.domain` is a domain, such as bounces.example.com.');
  return {
    of(sendId) {
      if (domain === undefined) return undefined;
      const mac = toBase32(keyring.mac(sendId, purpose).subarray(0, macBytes));
      return `${before}${sendId.slice(prefix.length).toLowerCase()}${mac}@${domain}`;
    },

    read(address) {
      const [, id = '', mac = ''] = form.exec(address.trim().toLowerCase()) ?? [];
      const sendId = `${prefix}${id.toUpperCase()}`;
      const bytes = fromBase32(mac);
      // The last letter has spare bits, so several texts decode to the same bytes. Only the canonical text is valid.
      const isWhole = id !== '' && toBase32(bytes) === mac;
      return isWhole && keyring.verifyMac(bytes, sendId, purpose) ? sendId : undefined;
    },
  };
}

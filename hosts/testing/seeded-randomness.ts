// Repeatable randomness: the same seed gives the same bytes. For tests only: every key and id made with it can be derived from
// the seed, so it must never reach production.
import { createHash } from 'node:crypto';
import type { Randomness } from '../../core/contract/ports/platform.ts';

/**
 * A repeatable stream of bytes. NOT for production. Two calls of 4 bytes return the same bytes as one call of 8.
 * @param seed any text or number (Default: 'postrider')
 */
export function createSeededRandomness(seed: string | number = 'postrider'): Randomness {
  let block: Uint8Array = new Uint8Array(0);
  let used = 0;
  let blocks = 0;
  return {
    bytes(length) {
      const bytes = new Uint8Array(length);
      for (let filled = 0; filled < length; ) {
        if (used === block.length) {
          block = createHash('sha512').update(`${seed}:${blocks}`).digest();
          blocks += 1;
          used = 0;
        }
        const part = block.subarray(used, used + length - filled);
        bytes.set(part, filled);
        filled += part.length;
        used += part.length;
      }
      return bytes;
    },
  };
}

/*
 * Ids for the floors (the hand-written programs that Postrider is compared with): a prefix and 26 Crockford base-32 characters (10 of time, 16 random). The time part is computed once per
 * millisecond, and random bytes are generated 8 kB at a time. Contestants make their own ids.
 */
import { randomFillSync } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const pool = Buffer.allocUnsafe(8192);
let used = pool.length;
let lastTime = 0;
let timePart = '';

function encodeTime(time: number): string {
  let rest = time;
  let encoded = '';
  for (let position = 0; position < 10; position += 1) {
    encoded = alphabet.charAt(rest % 32) + encoded;
    rest = Math.floor(rest / 32);
  }
  return encoded;
}

/** A new id such as `snd_01K…`; `time` is in milliseconds since 1970. */
export function createId(prefix: string, time: number): string {
  if (time !== lastTime) {
    lastTime = time;
    timePart = encodeTime(time);
  }
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  let id = prefix + timePart;
  for (const end = used + 16; used < end; used += 1) id += alphabet[(pool[used] as number) & 31];
  return id;
}

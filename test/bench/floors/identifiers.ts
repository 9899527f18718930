/**
 * Ids for the floors (the hand-written programs that Postrider is compared with): a prefix and 26 Crockford base-32 characters (10 of
 * time, 16 random). The time part is computed once per millisecond, and random bytes are generated 8 kB at a time. Contestants make their
 * own ids.
 */
import { randomFillSync } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const pool = Buffer.allocUnsafe(8192);
let usedBytes = pool.length;
let lastTime = 0;
let timePart = '';

function encodeTime(time: number): string {
  let restOfTime = time;
  let encodedTime = '';
  for (let position = 0; position < 10; position += 1) {
    encodedTime = alphabet.charAt(restOfTime % 32) + encodedTime;
    restOfTime = Math.floor(restOfTime / 32);
  }
  return encodedTime;
}

/** A new id such as `snd_01K…`; `time` is in milliseconds since 1970. */
export function createId(prefix: string, time: number): string {
  if (time !== lastTime) {
    lastTime = time;
    timePart = encodeTime(time);
  }
  if (usedBytes === pool.length) {
    randomFillSync(pool);
    usedBytes = 0;
  }
  let id = prefix + timePart;
  for (const end = usedBytes + 16; usedBytes < end; usedBytes += 1) id += alphabet[(pool[usedBytes] as number) & 31];
  return id;
}

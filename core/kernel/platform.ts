// The real clock, randomness and id source. The kernel passes them on as ports; other code in the core and the plugins
// must not read the time or random numbers by itself.
import { randomBytes } from 'node:crypto';
import type { Clock, IdSource, Randomness } from '../contract/ports/platform.ts';

/** The time of this machine. */
export const systemClock: Clock = { now: () => Date.now() };

/** The cryptographically strong source of the platform. */
export const systemRandomness: Randomness = { bytes: (length) => randomBytes(length) };

/** Crockford's base 32: no I, L, O, U. https://www.crockford.com/base32.html */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Every pair of characters: ten bits at a time. */
const pairs = Array.from(alphabet, (high) => Array.from(alphabet, (low) => high + low)).flat();

const poolSize = 8_192;
const bits10 = 1 << 10;
const bits20 = 1 << 20;
const bits40 = 2 ** 40;
const lastTime = 2 ** 48 - 1;

const pairAt = (value: number): string => pairs[value] ?? '';

/** Four characters. */
const encode20 = (value: number): string => pairAt(Math.floor(value / bits10)) + pairAt(value % bits10);

/** Eight characters. */
const encode40 = (value: number): string => encode20(Math.floor(value / bits20)) + encode20(value % bits20);

/** The ten characters of a time: 48 bits in 50. */
const encodeTime = (time: number): string => pairAt(Math.floor(time / bits40)) + encode40(time % bits40);

/**
 * Makes ids in ULID layout (https://github.com/ulid/spec): 48 bits of milliseconds, 80 random bits. Within a
 * millisecond, and while the clock is behind the latest id, the random part grows by a random step of up to 2³², so
 * that the ids of one process sort in the order of their creation and cannot be guessed.
 */
export function createIdSource(clock: Clock, randomness: Randomness): IdSource {
  let pool: Uint8Array = new Uint8Array(0);
  let used = 0;
  let time = -1;
  // The random part in two halves of 40 bits; the text of the upper half changes rarely and is kept.
  let high = 0;
  let low = 0;
  let beginning = '';

  function draw(bytes: number): number {
    if (used + bytes > pool.length) {
      pool = randomness.bytes(poolSize);
      used = 0;
    }
    let value = 0;
    for (const end = used + bytes; used < end; used += 1) value = value * 256 + (pool[used] ?? 0);
    return value;
  }

  function startAt(milliseconds: number): void {
    time = milliseconds;
    high = draw(5);
    low = draw(5);
    beginning = encodeTime(time) + encode40(high);
  }

  function step(): void {
    low += 1 + draw(4);
    if (low < bits40) return;
    low -= bits40;
    high += 1;
    if (high === bits40) startAt(time + 1);
    else beginning = encodeTime(time) + encode40(high);
  }

  return {
    create(prefix) {
      const now = Math.min(Math.max(Math.floor(clock.now()), 0), lastTime);
      if (now > time) startAt(now);
      else step();
      return `${prefix}_${beginning}${encode40(low)}`;
    },
  };
}

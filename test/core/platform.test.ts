// Clock, randomness and ids, real and simulated.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Randomness } from '../../core/contract/ports/platform.ts';
import { createIdSource, systemClock, systemRandomness } from '../../core/kernel/platform.ts';
import { createSeededRandomness } from '../../hosts/testing/seeded-randomness.ts';
import { createSimulatedClock } from '../../hosts/testing/simulated-clock.ts';

const test = suite('platform');
const form = /^snd_[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const timeOf = (id: string): number =>
  Array.from(id.slice(id.indexOf('_') + 1).slice(0, 10)).reduce((sum, one) => sum * 32 + alphabet.indexOf(one), 0);

function assertAscending(ids: readonly string[]): void {
  for (let index = 1; index < ids.length; index += 1) {
    assert.ok(ids[index - 1]! < ids[index]!, `${ids[index - 1]} before ${ids[index]}`);
  }
}

test('an id is a prefix and 26 Crockford characters that begin with the time', () => {
  const clock = createSimulatedClock(Date.UTC(2026, 10, 20, 15, 4, 5, 123));
  const ids = createIdSource(clock, systemRandomness);
  const id = ids.create('snd');
  assert.match(id, form);
  assert.is(id.length, 4 + 26);
  assert.is(timeOf(id), clock.now());
  assert.match(ids.create('asset'), /^asset_/);
});

test('ids contain times at the limits of their range in the ULID layout', () => {
  for (const [time, text] of [
    [0, '0000000000'],
    [1, '0000000001'],
    [1_469_918_176_385, '01ARYZ6S41'],
    [2 ** 48 - 1, '7ZZZZZZZZZ'],
  ] as const) {
    assert.is(
      createIdSource({ now: () => time }, systemRandomness)
        .create('x')
        .slice(2, 12),
      text,
    );
  }
});

test('ids contain the random part bit by bit', () => {
  const zero: Randomness = { bytes: (length) => new Uint8Array(length) };
  const clock = createSimulatedClock(0);
  const ids = createIdSource(clock, zero);
  assert.is(ids.create('x'), `x_${'0'.repeat(26)}`);
  assert.is(ids.create('x'), `x_${'0'.repeat(25)}1`);
  const counting: Randomness = { bytes: (length) => Uint8Array.from({ length }, (_, index) => index + 1) };
  const value = BigInt('0x0102030405060708090a');
  const expected = Array.from(
    { length: 16 },
    (_, position) => alphabet[Number((value >> BigInt(75 - 5 * position)) & 31n)],
  );
  assert.is(createIdSource(clock, counting).create('x'), `x_0000000000${expected.join('')}`);
});

test('100,000 ids of one millisecond are distinct and ordered, across prefixes', () => {
  const ids = createIdSource(createSimulatedClock(), systemRandomness);
  const createdIds = Array.from({ length: 100_000 }, (_, index) =>
    ids.create(index % 2 === 0 ? 'snd' : 'evt').slice(4),
  );
  assert.is(new Set(createdIds).size, 100_000);
  assertAscending(createdIds);
});

test('100,000 ids on the real clock are distinct and ordered', () => {
  const ids = createIdSource(systemClock, systemRandomness);
  const createdIds = Array.from({ length: 100_000 }, () => ids.create('snd'));
  assert.is(new Set(createdIds).size, 100_000);
  assertAscending(createdIds);
  assert.ok(createdIds.every((id) => form.test(id)));
});

test('ids keep their order while the clock jumps back and forth', () => {
  const clock = createSimulatedClock();
  const ids = createIdSource(clock, systemRandomness);
  const createdIds: string[] = [];
  for (const step of [0, -1, -3_600_000, 5, 3_600_000, 0, -86_400_000, 86_400_001, 0.4, 1]) {
    clock.advance(step);
    for (let count = 0; count < 100; count += 1) createdIds.push(ids.create('snd'));
  }
  assertAscending(createdIds);
  assert.is(timeOf(createdIds.at(-1)!), Math.floor(clock.now()));
});

test('if the random part overflows, the id continues in the next millisecond', () => {
  const full: Randomness = { bytes: (length) => new Uint8Array(length).fill(255) };
  const ids = createIdSource(createSimulatedClock(1_000), full);
  const createdIds = Array.from({ length: 50 }, () => ids.create('snd'));
  assertAscending(createdIds);
  assert.is(timeOf(createdIds[0]!), 1_000);
  assert.ok(timeOf(createdIds.at(-1)!) > 1_000);
  assert.ok(createdIds.every((id) => form.test(id)));
});

test('the next id cannot be predicted from the last', () => {
  const ids = createIdSource(createSimulatedClock(), systemRandomness);
  const tails = Array.from({ length: 1_000 }, () => ids.create('snd').slice(-8));
  const numberOf = (tail: string): number => Array.from(tail).reduce((sum, one) => sum * 32 + alphabet.indexOf(one), 0);
  const steps = tails.slice(1).map((tail, index) => numberOf(tail) - numberOf(tails[index]!));
  assert.ok(new Set(steps).size > 990);
});

test('two id sources on one clock create no equal ids', () => {
  const clock = createSimulatedClock();
  const first = createIdSource(clock, systemRandomness);
  const second = createIdSource(clock, systemRandomness);
  const ids = Array.from({ length: 20_000 }, (_, index) => (index % 2 === 0 ? first : second).create('snd'));
  assert.is(new Set(ids).size, 20_000);
});

test('the same seed and clock give the same ids, and another seed gives other ids', () => {
  const make = (seed: string): string[] => {
    const ids = createIdSource(createSimulatedClock(), createSeededRandomness(seed));
    return Array.from({ length: 50 }, () => ids.create('snd'));
  };
  assert.equal(make('one'), make('one'));
  assert.not.equal(make('one'), make('two'));
});

test('random bytes are read in pools of 8 kB', () => {
  const lengths: number[] = [];
  const countingSource: Randomness = {
    bytes(length) {
      lengths.push(length);
      return systemRandomness.bytes(length);
    },
  };
  const ids = createIdSource(createSimulatedClock(), countingSource);
  for (let count = 0; count < 4_000; count += 1) ids.create('snd');
  assert.equal(lengths, [8_192, 8_192]);
});

test('system randomness has the requested length and does not repeat', () => {
  assert.is(systemRandomness.bytes(0).length, 0);
  assert.is(systemRandomness.bytes(33).length, 33);
  const drawn = Array.from({ length: 1_000 }, () => Buffer.from(systemRandomness.bytes(16)).toString('hex'));
  assert.is(new Set(drawn).size, 1_000);
});

test('seeded randomness is one stream, in any split', () => {
  const allBytes = createSeededRandomness(7).bytes(300);
  const cut = createSeededRandomness(7);
  const parts = [1, 0, 63, 64, 2, 130, 40].map((length) => cut.bytes(length));
  assert.equal(Buffer.concat(parts).toString('hex'), Buffer.from(allBytes).toString('hex'));
  assert.ok(new Set(allBytes).size > 100);
});

test('a simulated clock moves only when advanced', () => {
  const clock = createSimulatedClock(1_000);
  assert.is(clock.now(), 1_000);
  assert.is(clock.advance(500), 1_500);
  assert.is(clock.advance(-600), 900);
  assert.is(clock.now(), 900);
  assert.throws(() => clock.advance(Number.NaN), /milliseconds/);
});

test('the system clock returns the current time', () => {
  const before = Date.now();
  const now = systemClock.now();
  assert.ok(before <= now && now <= Date.now());
});

test.run();

// Leashes without a service: the stricter one of two, and the sliding windows against a model that remembers every amount.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Leash, outsideDomain, stricterLeash } from '../../core/contract/values/leash.ts';
import {
  addUsage,
  freeAt,
  type LeashLimit,
  longestWindowMs,
  readUsage,
  stateOf,
  writeUsage,
} from '../../core/pipeline/leash-windows.ts';

const test = suite('leashes');
const minute = 60_000;

const ceiling: Leash = {
  sendsPerHour: 10,
  recipientDomains: ['a.example', 'b.example'],
  tools: ['read_workspace', 'send_transactional'],
  expiresAt: '2027-01-01T00:00:00.000Z',
  holdAbove: { recipients: 5 },
};
test('the stricter one of two leashes has the lower amounts, the common lists and the earlier end', () => {
  const other: Leash = {
    recipientsPerDay: 7,
    sendsPerHour: 20,
    recipientDomains: ['b.example', 'c.example'],
    tools: ['read_workspace'],
    expiresAt: '2026-06-01T00:00:00.000Z',
    holdAbove: { recipients: 9 },
  };
  const both = stricterLeash(other, ceiling);
  assert.equal(both, {
    recipientsPerDay: 7,
    sendsPerHour: 10,
    recipientDomains: ['b.example'],
    tools: ['read_workspace'],
    expiresAt: '2026-06-01T00:00:00.000Z',
    holdAbove: { recipients: 5 },
  });
  assert.equal(stricterLeash(ceiling, other), both);
});

test('the stricter one of a leash and no leash is the leash', () => {
  assert.equal(stricterLeash(null, ceiling), ceiling);
  assert.equal(stricterLeash(ceiling, null), ceiling);
  assert.is(stricterLeash(null, null), null);
});

test('a field that only one of two leashes limits keeps its limit', () => {
  assert.equal(stricterLeash({ recipientsPerDay: 1 }, ceiling), { ...ceiling, recipientsPerDay: 1 });
  assert.equal(stricterLeash({}, ceiling), ceiling);
});

test('addresses are compared by their domain, in any spelling', () => {
  assert.is(outsideDomain(['Ada@A.Example', 'not an address'], ['a.example']), undefined);
  assert.is(outsideDomain(['ada@a.example', 'ada@sub.a.example'], ['a.example']), 'sub.a.example');
  assert.is(outsideDomain(['ada@googlemail.com'], ['gmail.com']), undefined);
});

/** A small generator with a seed, so that a failure can be repeated. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

const lengths: readonly (readonly [LeashLimit, length: number, part: number])[] = [
  ['sendsPerHour', 60 * minute, minute],
  ['recipientsPerDay', 1_440 * minute, 15 * minute],
];

for (const [name, length, part] of lengths)
  test(`no window has more than the limit, and an amount is free again one part later at most: ${name}`, () => {
    const random = randomOf(35);
    const limit = 10;
    const taken: { at: number; amount: number }[] = [];
    let stored = '{}';
    let now = 1_800_000_000_000;
    const usedSince = (since: number) =>
      taken.filter(({ at }) => at > since).reduce((sum, { amount }) => sum + amount, 0);
    for (let step = 0; step < 5_000; step += 1) {
      now += random(length / 8);
      const amount = 1 + random(4);
      const usage = readUsage(stored, now);
      const { left } = stateOf(usage, name, limit);
      assert.ok(left <= limit - usedSince(now - length), 'never more than the window has left');
      assert.ok(left >= limit - usedSince(now - length - part), 'and never less than one part later');
      const at = freeAt(usage, name, limit, amount, now);
      if (amount <= left) {
        assert.is(at, now);
        addUsage(usage, name, amount, now);
        taken.push({ at: now, amount });
        stored = writeUsage(usage);
      } else {
        assert.ok(at !== undefined && at > now);
        assert.ok(stateOf(readUsage(stored, at), name, limit).left >= amount, 'free at the time that was told');
        assert.ok(stateOf(readUsage(stored, at - 1), name, limit).left < amount, 'and not before');
      }
    }
    assert.ok(taken.length > 100);
    assert.is(stateOf(readUsage(stored, now + longestWindowMs), name, limit).left, limit);
    assert.is(freeAt(readUsage(stored, now), name, limit, limit + 1, now), undefined);
  });

test.run();

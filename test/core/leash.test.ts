// Leashes without a service: the stricter of two leashes, and the sliding windows compared with a model that remembers every amount.
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
test('the stricter of two leashes has the lower amounts, the common lists and the earlier end', () => {
  const otherLeash: Leash = {
    recipientsPerDay: 7,
    sendsPerHour: 20,
    recipientDomains: ['b.example', 'c.example'],
    tools: ['read_workspace'],
    expiresAt: '2026-06-01T00:00:00.000Z',
    holdAbove: { recipients: 9 },
  };
  const both = stricterLeash(otherLeash, ceiling);
  assert.equal(both, {
    recipientsPerDay: 7,
    sendsPerHour: 10,
    recipientDomains: ['b.example'],
    tools: ['read_workspace'],
    expiresAt: '2026-06-01T00:00:00.000Z',
    holdAbove: { recipients: 5 },
  });
  assert.equal(stricterLeash(ceiling, otherLeash), both);
});

test('the stricter of a leash and no leash is the leash', () => {
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

/** A small random generator with a seed, so that a failure can be repeated */
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
  test(`no window exceeds its limit, and an amount is free again at most one part later: ${name}`, () => {
    const random = randomOf(35);
    const limit = 10;
    const amounts: { at: number; amount: number }[] = [];
    let storedState = '{}';
    let now = 1_800_000_000_000;
    const usedSince = (since: number) =>
      amounts.filter(({ at }) => at > since).reduce((sum, { amount }) => sum + amount, 0);
    for (let step = 0; step < 5_000; step += 1) {
      now += random(length / 8);
      const amount = 1 + random(4);
      const usage = readUsage(storedState, now);
      const { left } = stateOf(usage, name, limit);
      assert.ok(left <= limit - usedSince(now - length), 'the leash allows more than the window has left');
      assert.ok(
        left >= limit - usedSince(now - length - part),
        'the leash allows less than the window had left one part earlier',
      );
      const at = freeAt(usage, name, limit, amount, now);
      if (amount <= left) {
        assert.is(at, now);
        addUsage(usage, name, amount, now);
        amounts.push({ at: now, amount });
        storedState = writeUsage(usage);
      } else {
        assert.ok(at !== undefined && at > now);
        assert.ok(
          stateOf(readUsage(storedState, at), name, limit).left >= amount,
          'the amount is free at the stated time',
        );
        assert.ok(
          stateOf(readUsage(storedState, at - 1), name, limit).left < amount,
          'the amount is free before the stated time',
        );
      }
    }
    assert.ok(amounts.length > 100);
    assert.is(stateOf(readUsage(storedState, now + longestWindowMs), name, limit).left, limit);
    assert.is(freeAt(readUsage(storedState, now), name, limit, limit + 1, now), undefined);
  });

test.run();

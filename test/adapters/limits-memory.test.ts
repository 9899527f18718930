// The memory store against the shared suite, and against a complete log of grants.
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type MemoryLimitStore, memoryLimits } from '../../adapters/limits/memory.ts';
import type { RateLimits } from '../../core/contract/ports/limits.ts';
import { limitStoreSuite } from '../../hosts/testing/limits-suite.ts';

const test = suite('memory limits');
const start = Date.UTC(2026, 10, 20);
const unlimited = Number.POSITIVE_INFINITY;

limitStoreSuite('memory', memoryLimits, test);

interface Grant {
  readonly time: number;
  readonly key: string;
  readonly workspace: string;
}

/** A complete log of grants. Every decision is counted from its first entry. */
function createLog() {
  const log: Grant[] = [];
  const tokensOf = (key: string, { keyRate, keyBurst }: RateLimits, now: number): number => {
    const full = keyBurst * 1_000_000;
    const refill = (millionths: number, since: number, until: number): number =>
      Math.min(full, millionths + (until - since) * Math.round(keyRate * 1_000));
    let level = full;
    let at = 0;
    for (const grant of log.filter((one) => one.key === key)) {
      level = refill(level, at, grant.time) - 1_000_000;
      at = grant.time;
    }
    return refill(level, at, now) / 1_000_000;
  };
  const usedOf = (workspace: string, now: number): number => {
    const since = (Math.floor(now / 1_000) - 60) * 1_000;
    return log.filter((one) => one.workspace === workspace && one.time >= since).length;
  };
  return { log, tokensOf, usedOf };
}

const rateLimits = fc.record({
  keyRate: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constantFrom(0.5, 0.1, 30, unlimited)),
  keyBurst: fc.oneof(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 1, max: 60 }), fc.constant(unlimited)),
  workspacePerMinute: fc.oneof(
    fc.integer({ min: 1, max: 15 }),
    fc.integer({ min: 1, max: 60 }),
    fc.constant(unlimited),
  ),
});
const pauses = fc.oneof(
  { weight: 12, arbitrary: fc.constant(0) },
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 1_500 }) },
  { weight: 1, arbitrary: fc.integer({ min: 20_000, max: 130_000 }) },
);
const requests = fc.array(fc.tuple(pauses, fc.constantFrom('a', 'b', 'c'), fc.constantFrom('w', 'x')), {
  minLength: 40,
  maxLength: 160,
});

test('the store decides like a log in which every grant is counted', () => {
  let refusals = 0;
  const property = fc.property(rateLimits, requests, fc.integer({ min: 0, max: 70_000 }), (limits, calls, offset) => {
    const store = memoryLimits();
    const { log, tokensOf, usedOf } = createLog();
    const keyLimited = limits.keyRate !== unlimited && limits.keyBurst !== unlimited;
    let now = offset;
    for (const [pause, name, workspace] of calls) {
      now += pause;
      const key = workspace + name;
      const tokens = keyLimited ? tokensOf(key, limits, now) : unlimited;
      const remaining = limits.workspacePerMinute - usedOf(workspace, now);
      const decision = store.take(key, workspace, limits, now);
      assert.is(decision.allowed, tokens >= 1 && remaining >= 1, `tokens ${tokens}, left ${remaining}`);
      if (decision.allowed) {
        log.push({ time: now, key, workspace });
        const byWorkspace = (remaining - 1) / limits.workspacePerMinute < (tokens - 1) / limits.keyBurst;
        if (limits.workspacePerMinute !== unlimited && keyLimited) {
          assert.is(decision.scope, byWorkspace ? 'workspace' : 'key');
          assert.is(decision.remaining, Math.floor(byWorkspace ? remaining - 1 : tokens - 1));
        }
        continue;
      }
      refusals += 1;
      assert.ok(decision.scope === 'key' ? tokens < 1 : remaining < 1, 'the named scope was exceeded');
      const wait = decision.retryAfterSeconds * 1_000;
      assert.ok(wait > 0);
      const passesAt = Math.round(now + wait);
      const open = (time: number): boolean =>
        (!keyLimited || tokensOf(key, limits, time) >= 1) && usedOf(workspace, time) < limits.workspacePerMinute;
      assert.ok(open(passesAt), 'a retry after the wait passes');
      assert.not.ok(open(passesAt - 1), 'the wait is no longer than needed');
    }
  });
  fc.assert(property, { numRuns: 300 });
  assert.ok(refusals > 1_000, `only ${refusals} refusals were compared`);
});

test('the store allows a retry after exactly the stated time, including fractions of a second', () => {
  for (const keyRate of [0.1, 0.3, 0.7, 3, 7, 30, 60, 120, 999, 5_000]) {
    for (const from of [0, 7, start, start + 123]) {
      const store = memoryLimits();
      const limits = { keyRate, keyBurst: 3, workspacePerMinute: unlimited };
      let now = from;
      for (let count = 0; count < 50; count += 1) {
        const decision = store.take('key', 'ws', limits, now);
        if (decision.allowed) continue;
        now += decision.retryAfterSeconds * 1_000;
        assert.ok(store.take('key', 'ws', limits, now).allowed, `rate ${keyRate} from ${from}`);
      }
      assert.ok(now > from, 'the key was never refused');
    }
  }
});

test('if both limits are exceeded, the answer states the longer wait', () => {
  const store = memoryLimits();
  const limits = { keyRate: 1, keyBurst: 2, workspacePerMinute: 2 };
  store.take('key', 'ws', limits, start);
  store.take('key', 'ws', limits, start);
  const refusal = store.take('key', 'ws', limits, start);
  assert.is(refusal.scope, 'workspace');
  assert.is(refusal.retryAfterSeconds, 61);
});

test('the store counts calls that arrive out of order at the latest time', () => {
  const store = memoryLimits();
  const limits = { keyRate: 10, keyBurst: 10, workspacePerMinute: 5 };
  for (let count = 0; count < 5; count += 1) store.take('key', 'ws', limits, start + (count % 2) * 1_000);
  const lateDecision = store.take('key', 'ws', limits, start - 500);
  assert.not.ok(lateDecision.allowed);
  assert.ok(store.take('key', 'ws', limits, start - 500 + lateDecision.retryAfterSeconds * 1_000).allowed);
});

test('the store keeps working after the clock was set back by a year', () => {
  const store = memoryLimits();
  const limits = { keyRate: 1, keyBurst: 5, workspacePerMinute: 8 };
  for (let count = 0; count < 10; count += 1) store.take('key', 'ws', limits, start);
  const before = start - 365 * 86_400_000;
  assert.is(countGrants(store, limits, before, 10), 5);
  assert.is(countGrants(store, limits, before + 2_000, 10), 2);
});

test('if every limit is 0, the store refuses every call, with a finite wait', () => {
  const store = memoryLimits();
  const zeroLimits = { keyRate: 0, keyBurst: 0, workspacePerMinute: 0 };
  const refusal = store.take('key', 'ws', zeroLimits, start);
  assert.not.ok(refusal.allowed);
  assert.ok(Number.isFinite(refusal.retryAfterSeconds) && refusal.retryAfterSeconds > 0);
  assert.ok(Number.isFinite(refusal.resetAt));
  assert.is(store.remembered, 0);
});

test('the store forgets only keys and workspaces whose limits are full again', () => {
  const store = memoryLimits();
  const limits = { keyRate: 1, keyBurst: 2, workspacePerMinute: 100 };
  for (let count = 0; count < 5_000; count += 1) store.take(`key_${count}`, `ws_${count}`, limits, start);
  assert.is(store.remembered, 10_000);
  const slow = { keyRate: 0.001, keyBurst: 2, workspacePerMinute: 100 };
  countGrants(store, slow, start, 2, 'key_slow', 'ws_slow');
  for (let count = 0; count < 20_000; count += 1) store.take('key_busy', 'ws_busy', limits, start + 70_000);
  assert.is(store.remembered, 3, 'the store remembers only the busy key, its workspace and the slow key');
  assert.not.ok(store.take('key_slow', 'ws_slow', slow, start + 70_000).allowed);
});

test('the store does not grow while new keys keep arriving', () => {
  const store = memoryLimits();
  const limits = { keyRate: 10, keyBurst: 10, workspacePerMinute: 100 };
  let peak = 0;
  for (let count = 0; count < 200_000; count += 1) {
    store.take(`key_${count}`, 'ws', limits, start + count * 10);
    peak = Math.max(peak, store.remembered);
  }
  assert.ok(peak < 200, `${peak} were remembered at one time`);
});

function countGrants(
  store: MemoryLimitStore,
  limits: RateLimits,
  now: number,
  times: number,
  key = 'key',
  workspace = 'ws',
): number {
  let count = 0;
  for (let turn = 0; turn < times; turn += 1) if (store.take(key, workspace, limits, now).allowed) count += 1;
  return count;
}

test.run();

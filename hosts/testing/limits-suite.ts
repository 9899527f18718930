// The shared tests of limit stores, for every storage of the counters: memory, Redis, SQL. An adapter's test file calls the suite
// with its runner's `test(name, fn)`. It knows no vendor and no test library. A store may be stricter than the limits by a
// second, but never more generous.
import * as assert from 'node:assert/strict';
import type { LimitDecision, LimitStore, RateLimits } from '../../core/contract/ports/limits.ts';
import { createSeededRandomness } from './seeded-randomness.ts';

const unlimited = Number.POSITIVE_INFINITY;
const start = Date.UTC(2026, 10, 20, 15, 4, 5, 250);
const twoMinutes = 120_000;

/** The limits of a test: unlimited except for the given limits. */
const limitsWith = (figures: Partial<RateLimits>): RateLimits => ({
  keyRate: unlimited,
  keyBurst: unlimited,
  workspacePerMinute: unlimited,
  ...figures,
});

async function takeTimes(
  store: LimitStore,
  times: number,
  figures: RateLimits,
  now: number,
  [keyId, workspaceId] = ['key_a', 'ws_a'],
): Promise<LimitDecision[]> {
  const decisions: LimitDecision[] = [];
  for (let count = 0; count < times; count += 1) decisions.push(await store.take(keyId, workspaceId, figures, now));
  return decisions;
}

const allowedOf = (decisions: readonly LimitDecision[]): number => decisions.filter((one) => one.allowed).length;

/** The largest number of grants in any 60 s. */
function maxInAMinute(grants: readonly number[]): number {
  let max = 0;
  let first = 0;
  for (const [last, time] of grants.entries()) {
    while ((grants[first] ?? time) <= time - 60_000) first += 1;
    max = Math.max(max, last - first + 1);
  }
  return max;
}

/**
 * Registers the tests of the limit port.
 * @param create makes a store with no counters; the suite closes it
 * @param test the runner's own registration
 */
export function limitStoreSuite(
  name: string,
  create: () => LimitStore | Promise<LimitStore>,
  test: (name: string, run: () => Promise<void>) => void,
): void {
  const check = (title: string, run: (store: LimitStore) => Promise<void>): void => {
    test(`${name}: ${title}`, async () => {
      const store = await create();
      try {
        await run(store);
      } finally {
        await store.close();
      }
    });
  };

  check('a key spends its burst, then its rate', async (store) => {
    const limits = limitsWith({ keyRate: 10, keyBurst: 20 });
    assert.equal(allowedOf(await takeTimes(store, 25, limits, start)), 20);
    assert.equal(allowedOf(await takeTimes(store, 5, limits, start + 200)), 2);
    assert.equal(allowedOf(await takeTimes(store, 40, limits, start + 200 + twoMinutes)), 20);
  });

  check('a granted request reports the limit, the remaining requests and the time of the reset', async (store) => {
    const [first, second] = await takeTimes(store, 2, limitsWith({ keyRate: 10, keyBurst: 20 }), start);
    const expected = { allowed: true, scope: 'key', limit: 20, retryAfterSeconds: 0 };
    assert.deepEqual({ ...first }, { ...expected, remaining: 19, resetAt: start + 100 });
    assert.deepEqual({ ...second }, { ...expected, remaining: 18, resetAt: start + 200 });
  });

  check('a tripped key names itself and the exact time of a retry', async (store) => {
    const figures = limitsWith({ keyRate: 30, keyBurst: 60, workspacePerMinute: 600 });
    const refused = (await takeTimes(store, 61, figures, start))[60];
    assert.ok(refused !== undefined && !refused.allowed);
    assert.equal(refused.scope, 'key');
    assert.equal(refused.limit, 60);
    assert.equal(refused.remaining, 0);
    assert.ok(
      refused.retryAfterSeconds > 0 && refused.retryAfterSeconds < 0.05,
      `30 tokens a second: the next one comes within 0.034 s, not ${refused.retryAfterSeconds}. retryAfterSeconds need not be a whole number`,
    );
    assert.ok(refused.resetAt > start && refused.resetAt <= start + 2_001);
    const passes = start + Math.ceil(refused.retryAfterSeconds * 1_000);
    assert.equal((await store.take('key_a', 'ws_a', figures, passes - 2)).allowed, false);
    assert.equal((await store.take('key_a', 'ws_a', figures, passes)).allowed, true);
  });

  check('a token that is given back can be spent again, and the bucket does not overflow', async (store) => {
    const figures = limitsWith({ keyRate: 1, keyBurst: 5 });
    const giveBack = () => store.take('key_a', 'ws_a', { ...figures, keyTokens: -1 }, start);
    assert.equal(allowedOf(await takeTimes(store, 6, figures, start)), 5);
    assert.deepEqual([(await giveBack()).allowed, (await giveBack()).remaining], [true, 2]);
    assert.equal(allowedOf(await takeTimes(store, 3, figures, start)), 2);
    for (let count = 0; count < 8; count += 1) await giveBack();
    assert.equal(allowedOf(await takeTimes(store, 9, figures, start)), 5);
    assert.equal(allowedOf(await takeTimes(store, 3, figures, start + 2_000)), 2);
  });

  check('a workspace counts all of its keys', async (store) => {
    const figures = limitsWith({ keyRate: 100, keyBurst: 100, workspacePerMinute: 30 });
    assert.equal(allowedOf(await takeTimes(store, 20, figures, start, ['key_a', 'ws_a'])), 20);
    assert.equal(allowedOf(await takeTimes(store, 20, figures, start, ['key_b', 'ws_a'])), 10);
    assert.equal(allowedOf(await takeTimes(store, 20, figures, start, ['key_c', 'ws_b'])), 20);
  });

  check('a tripped workspace names itself, and a retry after the stated time passes', async (store) => {
    const figures = limitsWith({ keyRate: 100, keyBurst: 200, workspacePerMinute: 5 });
    const granted = await takeTimes(store, 5, figures, start);
    assert.deepEqual(
      granted.map((one) => one.remaining),
      [4, 3, 2, 1, 0],
    );
    assert.ok(granted.every((one) => one.scope === 'workspace' && one.limit === 5));
    const refused = await store.take('key_b', 'ws_a', figures, start + 10_000);
    assert.equal(refused.allowed, false);
    assert.equal(refused.scope, 'workspace');
    assert.equal(refused.remaining, 0);
    assert.ok(
      refused.retryAfterSeconds > 49 && refused.retryAfterSeconds <= 51,
      `the grants of 10 s ago leave the window of 60 s in 50 s, not ${refused.retryAfterSeconds}: the window is not a minute of the clock`,
    );
    assert.ok(refused.resetAt >= start + 60_000 && refused.resetAt <= start + 61_000);
    assert.equal((await store.take('key_b', 'ws_a', figures, start + 59_999)).allowed, false);
    const passes = start + 10_000 + Math.ceil(refused.retryAfterSeconds * 1_000);
    assert.equal((await store.take('key_b', 'ws_a', figures, passes)).allowed, true);
  });

  check('names the scope with the smaller share left', async (store) => {
    const figures = limitsWith({ keyRate: 1, keyBurst: 10, workspacePerMinute: 15 });
    const ofKey = await takeTimes(store, 8, figures, start, ['key_a', 'ws_a']);
    assert.ok(ofKey.every((one) => one.scope === 'key'));
    const other = await store.take('key_b', 'ws_a', figures, start);
    assert.equal(other.scope, 'workspace');
    assert.equal(other.limit, 15);
    assert.equal(other.remaining, 6);
  });

  check('a request that the key refuses costs the workspace nothing', async (store) => {
    const figures = limitsWith({ keyRate: 1, keyBurst: 2, workspacePerMinute: 10 });
    assert.equal(allowedOf(await takeTimes(store, 50, figures, start, ['key_a', 'ws_a'])), 2);
    const others = limitsWith({ keyRate: 100, keyBurst: 100, workspacePerMinute: 10 });
    assert.equal(allowedOf(await takeTimes(store, 50, others, start, ['key_b', 'ws_a'])), 8);
  });

  check('a request that the workspace refuses costs the key nothing', async (store) => {
    const tight = limitsWith({ keyRate: 1, keyBurst: 10, workspacePerMinute: 2 });
    assert.equal(allowedOf(await takeTimes(store, 30, tight, start, ['key_a', 'ws_a'])), 2);
    const wide = limitsWith({ keyRate: 1, keyBurst: 10, workspacePerMinute: 1_000 });
    assert.equal(allowedOf(await takeTimes(store, 30, wide, start, ['key_a', 'ws_a'])), 8);
  });

  check('unlimited limits never refuse and are reported as such', async (store) => {
    const decisions = await takeTimes(store, 300, limitsWith({}), start);
    assert.equal(allowedOf(decisions), 300);
    assert.equal(decisions[299]?.limit, unlimited);
    assert.equal(decisions[299]?.remaining, unlimited);
    const onlyWorkspace = await store.take('key_b', 'ws_b', limitsWith({ workspacePerMinute: 10 }), start);
    assert.deepEqual([onlyWorkspace.scope, onlyWorkspace.remaining], ['workspace', 9]);
    const onlyKey = await store.take('key_c', 'ws_c', limitsWith({ keyRate: 5, keyBurst: 10 }), start);
    assert.deepEqual([onlyKey.scope, onlyKey.remaining], ['key', 9]);
  });

  check('a change of plan counts from the next request', async (store) => {
    const small = limitsWith({ keyRate: 100, keyBurst: 1_000, workspacePerMinute: 5 });
    assert.equal(allowedOf(await takeTimes(store, 10, small, start)), 5);
    assert.equal(allowedOf(await takeTimes(store, 20, { ...small, workspacePerMinute: 15 }, start)), 10);
    assert.equal((await store.take('key_a', 'ws_a', small, start + 1_000)).allowed, false);
  });

  check('no 60 seconds have more grants than the limit, at any rhythm', async (store) => {
    const figures = limitsWith({ workspacePerMinute: 40 });
    const chance = createSeededRandomness('rhythm');
    const grants: number[] = [];
    let now = start;
    for (let count = 0; count < 3_000; count += 1) {
      const [dice = 0, pause = 0] = chance.bytes(2);
      if (dice < 40) now += pause * 12;
      else if (dice < 45) now += 30_000;
      if ((await store.take('key_a', 'ws_a', figures, now)).allowed) grants.push(now);
    }
    const maximum = maxInAMinute(grants);
    assert.ok(maximum <= 40, `${maximum} grants within 60 s, which are not a minute of the clock: 40 were allowed`);
    assert.ok(grants.length > 100, 'the test must grant and refuse');
  });

  check('a steady caller at the limit is never refused', async (store) => {
    const figures = limitsWith({ keyRate: 2, keyBurst: 4, workspacePerMinute: 120 });
    let allowed = 0;
    for (let count = 0; count < 600; count += 1) {
      if ((await store.take('key_a', 'ws_a', figures, start + count * 500)).allowed) allowed += 1;
    }
    assert.ok(allowed >= 585, `${allowed} of 600`);
  });

  check('two hundred concurrent requests are counted one by one', async (store) => {
    const figures = limitsWith({ keyRate: 1, keyBurst: 50, workspacePerMinute: 1_000 });
    const takes = Array.from({ length: 200 }, async () => store.take('key_a', 'ws_a', figures, start));
    assert.equal(allowedOf(await Promise.all(takes)), 50);
  });
}

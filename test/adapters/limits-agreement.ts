// Sends random requests through a shared store and through the memory store, which is checked against a full log of
// grants. Every decision must be exactly equal. Called by the tests of the stores that several processes share.
import * as assert from 'node:assert/strict';
import fc from 'fast-check';
import { memoryLimits } from '../../adapters/limits/memory.ts';
import type { LimitStore, RateLimits } from '../../core/contract/ports/limits.ts';

const start = Date.UTC(2026, 10, 20, 15, 4, 5, 250);
const unlimited = Number.POSITIVE_INFINITY;
const year = 31_536_000_000;

const rateLimits: fc.Arbitrary<RateLimits> = fc.record({
  keyRate: fc.oneof(
    fc.integer({ min: 1, max: 5 }),
    fc.constantFrom(0, 0.001, 0.5, 0.1, 0.333, 30, 5_000, 1e9, unlimited),
  ),
  keyBurst: fc.oneof(fc.integer({ min: 1, max: 10 }), fc.constantFrom(0, 0.5, 1.5, 60, 1e15, unlimited)),
  workspacePerMinute: fc.oneof(
    fc.integer({ min: 1, max: 15 }),
    fc.integer({ min: 1, max: 60 }),
    fc.constantFrom(0, 0.5, 7.5, unlimited),
  ),
});

const nobody: RateLimits = { keyRate: 0, keyBurst: 0, workspacePerMinute: 0 };

interface Request {
  readonly pause: number;
  /** The milliseconds by which the call arrives late, out of order. */
  readonly late: number;
  readonly key: string;
  readonly workspace: string;
  readonly plan: number;
}

const pauses = fc.oneof(
  { weight: 12, arbitrary: fc.constant(0) },
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 1_500 }) },
  { weight: 2, arbitrary: fc.constantFrom(0.4, 0.5, 999, 1_000, 60_000, 61_000) },
  { weight: 2, arbitrary: fc.integer({ min: 2_000, max: 130_000 }) },
);
const requests: fc.Arbitrary<Request[]> = fc.array(
  fc.record({
    pause: pauses,
    late: fc.oneof(
      { weight: 6, arbitrary: fc.constant(0) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 900 }) },
    ),
    key: fc.constantFrom('a', 'b', 'c'),
    workspace: fc.constantFrom('w', 'x {y}%'),
    plan: fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constant(1) }),
  }),
  { minLength: 40, maxLength: 120 },
);

/** The number of compared decisions of each kind. */
export interface ComparedDecisions {
  readonly granted: number;
  readonly refused: number;
}

/** Throws if a decision differs. @param create creates a store without counters that counts by the caller's clock */
export async function assertAgreesWithMemory(
  create: () => LimitStore | Promise<LimitStore>,
  runs: number,
): Promise<ComparedDecisions> {
  let grantedCount = 0;
  let refusedCount = 0;
  const sequence = async (
    plans: readonly RateLimits[],
    calls: readonly Request[],
    setBackAt: number,
  ): Promise<void> => {
    const [memory, store] = [memoryLimits(), await create()];
    let now = start;
    try {
      for (const [index, { pause, late, key, workspace, plan }] of calls.entries()) {
        now += index === setBackAt ? -year : pause;
        const request = [workspace + key, workspace, plans[plan] ?? nobody, now - late] as const;
        const expectedDecision = memory.take(...request);
        assert.deepEqual(
          { ...(await store.take(...request)) },
          expectedDecision,
          `request ${index}: ${JSON.stringify(request)}`,
        );
        if (expectedDecision.allowed) grantedCount += 1;
        else refusedCount += 1;
      }
    } finally {
      await store.close();
    }
  };
  const plans = fc.tuple(rateLimits, rateLimits);
  await fc.assert(fc.asyncProperty(plans, requests, fc.integer({ min: 0, max: 400 }), sequence), { numRuns: runs });
  return { granted: grantedCount, refused: refusedCount };
}

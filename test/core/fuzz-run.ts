// Sends requests until a response is wrong, and reduces that request to the smallest request that still fails. Used by the fuzz-*.test.ts
// files, each of which shows with a planted fault that it would find one.
import fc from 'fast-check';
import type { TestDatabase } from '../support/databases.ts';
import { longTests } from '../support/long-tests.ts';
import { type FuzzRequest, type FuzzTarget, fuzzSeed, fuzzTimes } from './fuzz-target.ts';
import type { CheckedResponse } from './response-check.ts';

/** The result of a run. */
export interface FuzzResult {
  /** The smallest request with a wrong response, and its faults. Undefined if none was found. */
  readonly finding: string | undefined;
  /** Number of responses per status. */
  readonly statuses: ReadonlyMap<number, number>;
}

/** Options of a run. */
interface FuzzOptions {
  /** Returns the status under which a response is counted. (Default: its HTTP status) */
  readonly status?: (answer: CheckedResponse) => number;
  /** True if a failing request is reduced to the smallest. (Default: true) */
  readonly shrink?: boolean;
}

const shorten = (text: string): string => (text.length > 1_500 ? `${text.slice(0, 1_500)}… (${text.length})` : text);

/** Formats a request and its wrong response for a finding. */
export function describeCall(request: FuzzRequest, { status, text, faults }: CheckedResponse): string {
  const body = typeof request.body === 'string' ? request.body : Buffer.from(request.body ?? '').toString('latin1');
  return [
    faults.join('; '),
    `${request.method} ${shorten(JSON.stringify(request.url))} ${JSON.stringify(request.headers ?? {})}`,
    shorten(JSON.stringify(body)),
    `→ ${status} ${shorten(text)}`,
  ].join('\n');
}

/** Runs `runs` values one after another. `checkValue` returns the faults, or undefined. */
export async function fuzzValues<T>(
  values: fc.Arbitrary<T>,
  runs: number,
  checkValue: (value: T) => Promise<string | undefined>,
  shrink = true,
): Promise<string | undefined> {
  let finding: string | undefined;
  const property = fc.asyncProperty(values, async (value) => {
    const faults = await checkValue(value);
    finding = faults ?? finding;
    return faults === undefined;
  });
  const numRuns = Math.ceil(runs * fuzzTimes);
  const { failed, errorInstance } = await fc.check(property, { numRuns, seed: fuzzSeed, endOnFailure: !shrink });
  if (failed && finding === undefined) throw errorInstance;
  return finding;
}

/** Sends `runs` requests one after another. */
export async function fuzz(
  target: FuzzTarget,
  requests: fc.Arbitrary<FuzzRequest>,
  runs: number,
  { status = (answer) => answer.status, shrink = true }: FuzzOptions = {},
): Promise<FuzzResult> {
  const statuses = new Map<number, number>();
  const finding = await fuzzValues(
    requests,
    runs,
    async (request) => {
      const answer = await target.ask(request);
      statuses.set(status(answer), (statuses.get(status(answer)) ?? 0) + 1);
      return answer.faults.length === 0 ? undefined : describeCall(request, answer);
    },
    shrink,
  );
  return { finding, statuses };
}

/**
 * The operations that are fuzzed on a database: all on SQLite, half of them on each server. With POSTRIDER_TEST_LONG=1, all operations on
 * every database.
 */
export const fuzzedOn = <T>(database: TestDatabase['name'], all: readonly T[]): readonly T[] =>
  longTests || database === 'sqlite' ? all : all.filter((_, index) => (index % 2 === 0) === (database === 'postgres'));

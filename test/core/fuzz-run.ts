// Runs requests until one is answered wrongly, and brings that one down to the least that still is. Used by the
// fuzz-*.test.ts files; every one of them shows with a planted fault that it would find one.
import fc from 'fast-check';
import type { TestDatabase } from '../support/databases.ts';
import { longTests } from '../support/long-tests.ts';
import type { Judged } from './answer-judge.ts';
import { type Asked, fuzzSeed, fuzzTimes, type Target } from './fuzz-target.ts';

/** What a run found. */
export interface FuzzResult {
  /** The least request that is answered wrongly, with what is wrong; undefined when none was found. */
  readonly finding: string | undefined;
  /** Answers by status. */
  readonly statuses: ReadonlyMap<number, number>;
}

/** What may differ from run to run. */
interface FuzzOptions {
  /** Which status counts for an answer. (Default: that of HTTP) */
  readonly status?: (answer: Judged) => number;
  /** Whether the request is brought down to the least. (Default: true) */
  readonly shrink?: boolean;
}

const shown = (text: string): string => (text.length > 1_500 ? `${text.slice(0, 1_500)}… (${text.length})` : text);

/** A request with a wrong answer, as a finding tells it. */
export function describeCall(request: Asked, { status, text, faults }: Judged): string {
  const body = typeof request.body === 'string' ? request.body : Buffer.from(request.body ?? '').toString('latin1');
  return [
    faults.join('; '),
    `${request.method} ${shown(JSON.stringify(request.url))} ${JSON.stringify(request.headers ?? {})}`,
    shown(JSON.stringify(body)),
    `→ ${status} ${shown(text)}`,
  ].join('\n');
}

/** Plays `runs` values one after another; a play answers what is wrong, or undefined. */
export async function fuzzPlays<T>(
  values: fc.Arbitrary<T>,
  runs: number,
  play: (value: T) => Promise<string | undefined>,
  shrink = true,
): Promise<string | undefined> {
  let finding: string | undefined;
  const property = fc.asyncProperty(values, async (value) => {
    const found = await play(value);
    finding = found ?? finding;
    return found === undefined;
  });
  const numRuns = Math.ceil(runs * fuzzTimes);
  const { failed, errorInstance } = await fc.check(property, { numRuns, seed: fuzzSeed, endOnFailure: !shrink });
  if (failed && finding === undefined) throw errorInstance;
  return finding;
}

/** Asks `runs` requests one after another. */
export async function fuzz(
  target: Target,
  requests: fc.Arbitrary<Asked>,
  runs: number,
  { status = (answer) => answer.status, shrink = true }: FuzzOptions = {},
): Promise<FuzzResult> {
  const statuses = new Map<number, number>();
  const finding = await fuzzPlays(
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

/** The operations that are fuzzed on a database: on SQLite all, on each server half of them. With POSTRIDER_TEST_LONG=1 all everywhere. */
export const fuzzedOn = <T>(database: TestDatabase['name'], all: readonly T[]): readonly T[] =>
  longTests || database === 'sqlite' ? all : all.filter((_, index) => (index % 2 === 0) === (database === 'postgres'));

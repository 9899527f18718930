// The record of a publication in memory. Can end the process, as far as a test can: the next record throws, the signal is
// aborted, and nothing is recorded any more.
import type { PublishSteps, RecordedStep } from '../port/index.ts';

/** Where a process ends: around the record of a step that begins, or of one that has ended. */
export type KillPlace = 'before its record' | 'before its request' | 'after its answer' | 'after its result';

/** One of these moments. */
export interface KillMoment {
  readonly step: string;
  readonly place: KillPlace;
}

/** Thrown where the process ends. */
export class Killed extends Error {
  constructor({ step, place }: KillMoment) {
    super(`The process ended at the step "${step}", ${place}.`);
    this.name = 'Killed';
  }
}

/** What is committed. */
export type StepRecord = Map<string, RecordedStep>;

/** Whether a request may have taken effect without a known answer. */
export const hasOpenStep = (record: StepRecord): boolean => [...record.values()].some(({ result }) => result === null);

/** Ids of what became visible, in order. */
export const visibleParts = (record: StepRecord): string[] =>
  [...record.values()].flatMap(({ result }) => (typeof result?.part === 'string' ? [result.part] : []));

/** Steps over what is committed. */
export interface RecordedSteps extends PublishSteps {
  /** Ends with the process. */
  readonly signal: AbortSignal;
  /** The moments that were passed. */
  readonly moments: readonly KillMoment[];
}

/** Steps of one process. It ends at moment number `end`, from 0; `before` is called where a request is about to be made. */
export function recordedSteps(
  record: StepRecord,
  { end, onRequest }: { readonly end?: number | undefined; readonly onRequest?: (place: number) => void } = {},
): RecordedSteps {
  const life = new AbortController();
  const moments: KillMoment[] = [];
  const pass = (step: string, place: KillPlace): void => {
    if (life.signal.aborted) throw life.signal.reason;
    const moment = { step, place };
    moments.push(moment);
    if (moments.length - 1 !== end) return;
    const killed = new Killed(moment);
    life.abort(killed);
    throw killed;
  };
  let requests = 0;
  return {
    signal: life.signal,
    moments,
    get done() {
      return [...record.values()];
    },
    find: (name) => record.get(name),
    async before(name, note = {}) {
      pass(name, 'before its record');
      record.set(name, structuredClone({ name, note, result: null }));
      pass(name, 'before its request');
      onRequest?.(requests);
      requests += 1;
    },
    async after(name, result) {
      pass(name, 'after its answer');
      const begun = record.get(name);
      if (begun === undefined) throw new Error(`The step "${name}" has a result, but was never begun.`);
      record.set(name, structuredClone({ ...begun, result }));
      pass(name, 'after its result');
    },
  };
}

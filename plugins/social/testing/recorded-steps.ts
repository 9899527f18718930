// Records the steps of a publication in memory. Can simulate the end of the process: the record throws, the signal is aborted, and
// nothing is recorded any more.
import type { PublishSteps, RecordedStep } from '../port/index.ts';

/** The point at which a process ends: before or after it records the start of a step, or before or after it records the result of a step. */
export type KillPoint = 'before its record' | 'before its request' | 'after its answer' | 'after its result';

/** A moment at which the process can end: a step and a point in it. */
export interface KillMoment {
  readonly step: string;
  readonly point: KillPoint;
}

/** Thrown at the simulated end of the process. */
export class Killed extends Error {
  constructor({ step, point }: KillMoment) {
    super(`The process ended at the step "${step}", ${point}.`);
    this.name = 'Killed';
  }
}

/** The committed steps, by name. */
export type RecordedStepMap = Map<string, RecordedStep>;

/** Whether a step is open: its request may have taken effect, and the response is not known. */
export const hasOpenStep = (record: RecordedStepMap): boolean =>
  [...record.values()].some(({ result }) => result === null);

/** The ids of the visible parts, in order. */
export const visibleParts = (record: RecordedStepMap): string[] =>
  [...record.values()].flatMap(({ result }) => (typeof result?.part === 'string' ? [result.part] : []));

/** The steps of one simulated process. */
export interface RecordedSteps extends PublishSteps {
  /** Aborted when the process ends. */
  readonly signal: AbortSignal;
  /** The moments that the process has reached. */
  readonly moments: readonly KillMoment[];
}

/** The steps of one process, which ends at moment number `end`, from 0. `onRequest` is called before each request, with its number. */
export function recordedSteps(
  record: RecordedStepMap,
  { end, onRequest }: { readonly end?: number | undefined; readonly onRequest?: (index: number) => void } = {},
): RecordedSteps {
  const life = new AbortController();
  const moments: KillMoment[] = [];
  const pass = (step: string, point: KillPoint): void => {
    if (life.signal.aborted) throw life.signal.reason;
    const moment = { step, point };
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

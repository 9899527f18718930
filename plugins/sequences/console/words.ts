// The words of the console for sequences, runs and steps.
import { type Html, html, type PillTone, pill } from '../../../core/unstable.ts';
import type { RunResource, RunSummary, SequenceResource } from '../schema.ts';

type Words = readonly [words: string, tone: PillTone];

const states: Readonly<Record<SequenceResource['status'], Words>> = {
  published: ['Published', 'good'],
  paused: ['Paused', 'wait'],
  draft: ['Draft', 'plain'],
  archived: ['Archived', 'plain'],
};

const runStates: Readonly<Record<RunSummary['status'], Words>> = {
  active: ['Active', 'good'],
  completed: ['Completed', 'info'],
  exited: ['Exited', 'plain'],
  cancelled: ['Canceled', 'plain'],
  failed: ['Failed', 'bad'],
};

/** Every state of a sequence with its words, for a filter. */
export const stateChoices = Object.entries(states).map(([status, [words]]) => [status, words] as const);

/** Every state of a run with its words, for a filter. */
export const runStateChoices = Object.entries(runStates).map(([status, [words]]) => [status, words] as const);

export const isSequenceStatus = (text: string): text is SequenceResource['status'] => Object.hasOwn(states, text);

export const isRunStatus = (text: string): text is RunSummary['status'] => Object.hasOwn(runStates, text);

/** The state of a sequence, whether it has unpublished changes, and whether they wait for an approval. */
export function sequencePill({ status, draft, approval }: SequenceResource): Html {
  const changes = draft && status !== 'draft' ? html` <span class="quiet">with unpublished changes</span>` : null;
  return html`${pill(...states[status])}${changes}${approval === null ? null : html` ${pill('Waits for approval', 'wait')}`}`;
}

export const runPill = ({ status }: Pick<RunSummary, 'status'>): Html => pill(...runStates[status]);

/** The tone of a run's state. */
export const toneOfRun = ({ status }: Pick<RunSummary, 'status'>): PillTone => runStates[status][1];

type Step = RunResource['steps'][number];

const stepStates: Readonly<Record<Step['status'], Words>> = {
  pending: ['Comes next', 'plain'],
  waiting: ['Waiting', 'wait'],
  running: ['Running', 'info'],
  completed: ['Done', 'good'],
  skipped: ['Skipped', 'wait'],
  failed: ['Failed', 'bad'],
};

/** A goal ends a run in the middle of a step. That is the intended end, so the step is not called skipped. */
export const stepWords = ({ status, reason }: Pick<Step, 'status' | 'reason'>): Words =>
  status === 'skipped' && reason === 'goal' ? ['Ended by the goal', 'good'] : stepStates[status];

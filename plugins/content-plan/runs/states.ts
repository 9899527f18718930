// The states of a run, and the order of its gates.
import { defineStates, type StateMachine } from '../../../core/index.ts';
import type { GateName, Gates, RunRow, RunStatus } from './tables.ts';

export const runStates: StateMachine<RunStatus> = defineStates({
  queued: ['planning', 'awaiting_decision', 'failed'],
  planning: ['awaiting_decision', 'failed'],
  awaiting_decision: ['planning', 'applying', 'rejected', 'expired'],
  applying: ['completed', 'failed'],
  completed: [],
  failed: [],
  rejected: [],
  expired: [],
});

/** The unfinished states. A week has at most one run in these states. */
export const unfinished = [
  ...(['queued', 'planning', 'awaiting_decision', 'applying'] as const),
] as const satisfies readonly RunStatus[];

/** The gates of a run, in order. */
export const gateNames = ({ captions }: Gates): readonly GateName[] =>
  captions === null ? ['themes', 'slots'] : ['themes', 'slots', 'captions'];

/** The gate that is being planned or waits for a decision; undefined if all gates are approved. */
export const currentGate = ({ gates }: Pick<RunRow, 'gates'>): GateName | undefined =>
  gateNames(gates).find((name) => gates[name]?.status !== 'approved');

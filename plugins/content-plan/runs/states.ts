// The unfinished states of a run, and the order of its gates.
import type { GateName, PlanGates, PlanRunRow, PlanRunStatus } from './tables.ts';

/** The unfinished states. A week has at most one run in these states. */
export const unfinished = [
  'queued',
  'planning',
  'awaiting_decision',
  'applying',
] as const satisfies readonly PlanRunStatus[];

/** The gates of a run, in order. */
export const gateNames = ({ captions }: PlanGates): readonly GateName[] =>
  captions === null ? ['themes', 'slots'] : ['themes', 'slots', 'captions'];

/** The gate that is being planned or waits for a decision; undefined if all gates are approved. */
export const currentGate = ({ gates }: Pick<PlanRunRow, 'gates'>): GateName | undefined =>
  gateNames(gates).find((name) => gates[name]?.status !== 'approved');

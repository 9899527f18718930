// The states of a creation, and the allowed next states of each.
import { defineStates, type StateMachine } from '../../core/index.ts';
import type { CreationStatus } from './tables.ts';

export const creationStates: StateMachine<CreationStatus> = defineStates({
  drafting_strategy: ['awaiting_approval', 'failed', 'canceled'],
  awaiting_approval: ['building', 'drafting_strategy', 'rejected', 'canceled'],
  building: ['ready', 'partially_ready', 'failed', 'canceled'],
  ready: ['live', 'canceled'],
  partially_ready: ['building', 'live', 'canceled'],
  failed: ['building', 'drafting_strategy', 'canceled'],
  live: ['completed'],
  completed: [],
  rejected: [],
  canceled: [],
});

/** The states in which a creation is being drafted or built. The number of such creations in a workspace is limited. */
export const unfinished = ['drafting_strategy', 'building'] as const satisfies readonly CreationStatus[];

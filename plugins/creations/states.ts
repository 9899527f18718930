// The states of a creation. Final ones lead nowhere.
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

/** Those in which items are built, or will be: a workspace has few of them at a time. */
export const unfinished = ['drafting_strategy', 'building'] as const satisfies readonly CreationStatus[];

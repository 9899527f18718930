// Sequences: what happens to a contact over time, step by step.
import './events.ts';

export type { CodeSequence } from './code/code-sequence.ts';
export { defineSequence } from './definition/define-sequence.ts';
export type { Filter, FilterCondition, FilterValue } from './definition/filter-schema.ts';
export type { SequencesOptions } from './options.ts';
export { sequencesPlugin } from './plugin.ts';
export type { EnrollmentResource, RunResource, RunSummary, SequenceDetail, SequenceResource } from './schema.ts';
export type { EntranceEvent, EntranceResult, SequenceEntrance } from './sequence-entrance.ts';

import type { CodeSequence } from './code/code-sequence.ts';

/** Options of the sequences plugin. */
export interface SequencesOptions {
  /** Sequences of the program: `defineSequence({ … })`. They exist in every workspace. (Default: none) */
  readonly sequences?: readonly CodeSequence[];
}

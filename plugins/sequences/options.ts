import type { PageOptions } from '../../core/unstable.ts';
import type { CodeSequence } from './code/code-sequence.ts';

/** Options of the sequences plugin. */
export interface SequencesOptions {
  /** Sequences of the program: `defineSequence({ … })`. They exist in every workspace. (Default: none) */
  readonly sequences?: readonly CodeSequence[];
  /**
   * Serves a page with sequences, their counts and runs at /sequences-console, to the callers that `authorize` admits. With `{}`,
   * the page is only available on this machine, and only in development. (Default: no page)
   */
  readonly console?: PageOptions;
}

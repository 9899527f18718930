// What a build keeps between its steps. Stored after each step, so that a crash repeats no more than one.
import type { Chapter, ChapterHead, Status } from '../schema.ts';

/** A build that runs. */
export interface BuildState {
  readonly id: string;
  readonly brief: string;
  readonly tone: string | null;
  /** A build that has not ended by then has failed, in milliseconds. */
  readonly until: number;
  readonly holdId: string | null;
  /** The status before. */
  readonly before: Status;
  /** The chapters that are to be written; null before the first step. */
  readonly plan: readonly ChapterHead[] | null;
  /** Those that are written, in order. */
  readonly written: readonly Chapter[];
}

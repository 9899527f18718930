// The state that a build keeps between its steps. Stored after each step, so that a crash repeats at most one step.
import type { Chapter, ChapterHead, LeadMagnetStatus } from '../schema.ts';

/** A running build. */
export interface LeadMagnetBuildState {
  readonly id: string;
  readonly brief: string;
  readonly tone: string | null;
  /** The end of the time limit, in milliseconds since the epoch. A build that has not ended by then has failed. */
  readonly deadline: number;
  readonly holdId: string | null;
  /** The status before the build. */
  readonly before: LeadMagnetStatus;
  /** The chapters to write; null before the first step. */
  readonly outline: readonly ChapterHead[] | null;
  /** The finished chapters, in order. */
  readonly chapters: readonly Chapter[];
}

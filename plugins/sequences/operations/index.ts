import { archiveSequence } from './archive-sequence.ts';
import { cancelRun } from './cancel-run.ts';
import { createSequence } from './create-sequence.ts';
import { enroll } from './enroll.ts';
import { enrollAlias } from './enroll-alias.ts';
import { enrollList } from './enroll-list.ts';
import { listRuns } from './list-runs.ts';
import { listSequences } from './list-sequences.ts';
import { pauseSequence } from './pause-sequence.ts';
import { publishSequence } from './publish-sequence.ts';
import { readEnrollment } from './read-enrollment.ts';
import { readRun } from './read-run.ts';
import { readSequence } from './read-sequence.ts';
import { resumeSequence } from './resume-sequence.ts';
import { simulateSequence } from './simulate-sequence.ts';
import { transitionRun } from './transition-run.ts';
import { updateSequence } from './update-sequence.ts';

export const operations = [
  listSequences,
  readSequence,
  createSequence,
  updateSequence,
  publishSequence,
  pauseSequence,
  resumeSequence,
  archiveSequence,
  enroll,
  enrollAlias,
  enrollList,
  readEnrollment,
  listRuns,
  readRun,
  cancelRun,
  transitionRun,
  simulateSequence,
] as const;

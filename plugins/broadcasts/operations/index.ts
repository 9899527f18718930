import { createBroadcast, listBroadcasts, readBroadcast, updateBroadcast } from './broadcasts.ts';
import { cancelBroadcast } from './cancel-broadcast.ts';
import { createPlannedBroadcast } from './create-planned-broadcast.ts';
import { decideExperiment } from './decide-experiment.ts';
import { deleteBroadcast } from './delete-broadcast.ts';
import { duplicateBroadcast } from './duplicate-broadcast.ts';
import { listRecipients } from './list-recipients.ts';
import { pauseBroadcast } from './pause-broadcast.ts';
import { previewBroadcast } from './preview-broadcast.ts';
import { readReport } from './read-report.ts';
import { resumeBroadcast } from './resume-broadcast.ts';
import { scheduleBroadcast } from './schedule-broadcast.ts';
import { testBroadcast } from './test-broadcast.ts';
import { unscheduleBroadcast } from './unschedule-broadcast.ts';

export const operations = [
  listBroadcasts,
  readBroadcast,
  createBroadcast,
  updateBroadcast,
  deleteBroadcast,
  duplicateBroadcast,
  previewBroadcast,
  testBroadcast,
  scheduleBroadcast,
  unscheduleBroadcast,
  pauseBroadcast,
  resumeBroadcast,
  cancelBroadcast,
  decideExperiment,
  listRecipients,
  readReport,
  createPlannedBroadcast,
] as const;

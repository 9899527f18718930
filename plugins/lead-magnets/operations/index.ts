import { composeLeadMagnet } from './compose-lead-magnet.ts';
import { createLeadMagnetOperation } from './create-lead-magnet.ts';
import { deleteLeadMagnet } from './delete-lead-magnet.ts';
import { exportLeadMagnet } from './export-lead-magnet.ts';
import { listLeadMagnets } from './list-lead-magnets.ts';
import { readLeadMagnet } from './read-lead-magnet.ts';
import { updateLeadMagnet } from './update-lead-magnet.ts';

export const operations = [
  listLeadMagnets,
  readLeadMagnet,
  createLeadMagnetOperation,
  composeLeadMagnet,
  exportLeadMagnet,
  updateLeadMagnet,
  deleteLeadMagnet,
] as const;

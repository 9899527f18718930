import { deleteSegment } from './delete-segment.ts';
import { explainSegment } from './explain-segment.ts';
import { listSegmentContacts } from './list-segment-contacts.ts';
import { previewSegment } from './preview-segment.ts';
import { createSegment, listSegments, readSegment, updateSegment } from './segments.ts';

export const operations = [
  listSegments,
  readSegment,
  createSegment,
  updateSegment,
  deleteSegment,
  previewSegment,
  listSegmentContacts,
  explainSegment,
] as const;

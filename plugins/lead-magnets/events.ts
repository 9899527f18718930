import { defineEvent } from '../../core/index.ts';
import { type LeadMagnetSummary, summaryResourceObject } from './schema.ts';

const example: LeadMagnetSummary = {
  id: 'lm_01JD3Q5S8ZK2M4N6P8R0T2V4W6',
  title: 'Sourdough in six evenings',
  format: 'guide',
  brief: 'A guide for people who bake their first sourdough bread.',
  status: 'ready',
  coverPages: 1,
  chapters: [{ heading: 'Your starter', summary: 'Flour, water and a week of patience.' }],
  brandId: 'brd_01JD3Q5S8ZK2M4N6P8R0T2V4W6',
  contentHash: '5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef',
  lastExport: null,
  progress: { phase: 'done', done: 6, total: 6 },
  error: null,
  creationId: null,
  sandbox: false,
  createdAt: '2026-11-20T15:04:05.000Z',
  updatedAt: '2026-11-20T15:09:05.000Z',
};

const data = summaryResourceObject;

export const events = [
  defineEvent({
    type: 'lead_magnet.ready',
    description: 'The text of a lead magnet is written; its chapters come without their text.',
    data,
    example,
  }),
  defineEvent({
    type: 'lead_magnet.failed',
    description:
      'The text of a lead magnet could not be written; error contains the reason. Its credits were refunded, and the previous text is unchanged.',
    data,
    example: {
      ...{ ...example, status: 'failed' as const, chapters: [] },
      progress: { phase: 'outline', done: 0, total: 1 },
      error: 'The outline could not be written: the composer gave no usable answer.',
    },
  }),
];

declare module '../../core/contract/open.ts' {
  interface EventMap {
    'lead_magnet.ready': LeadMagnetSummary;
    'lead_magnet.failed': LeadMagnetSummary;
  }
}

import { defineEvent } from '../../core/index.ts';
import { type CreationSummary, creationSummary } from './schema.ts';

const example: CreationSummary = {
  creationId: 'cre_01JD3Q5S8ZK2M4N6P8R0T2V4W6',
  name: 'Spring course',
  status: 'awaiting_approval',
  brief: 'Our sourdough course starts in March. It is for beginners.',
  objective: '40 bookings',
  icpId: null,
  startsAt: null,
  endsAt: null,
  credits: { price: 29, charged: 0 },
  utmCampaign: 'spring-course-v4w6',
  revision: 0,
  error: null,
  approval: null,
  sandbox: false,
  createdAt: '2026-11-20T15:04:05.000Z',
  updatedAt: '2026-11-20T15:05:05.000Z',
  itemCounts: { planned: 6, building: 0, built: 0, failed: 0, skipped: 0 },
};

export const events = [
  defineEvent({
    type: 'creation.strategy_ready',
    description: 'The strategy of a creation was drafted.',
    data: creationSummary,
    example,
  }),
  defineEvent({
    type: 'creation.ready',
    description: 'The last item of a creation was built. Some may have failed: then its status is partially_ready.',
    data: creationSummary,
    example: {
      ...example,
      status: 'ready',
      credits: { price: 29, charged: 29 },
      itemCounts: { planned: 0, building: 0, built: 6, failed: 0, skipped: 0 },
    },
  }),
  defineEvent({
    type: 'creation.failed',
    description:
      'The strategy of a creation could not be drafted, or all of its items failed to build; error contains the reason.',
    data: creationSummary,
    example: { ...example, status: 'failed', error: 'The composer gave no usable answer.' },
  }),
];

declare module '../../core/contract/open.ts' {
  interface EventMap {
    'creation.strategy_ready': CreationSummary;
    'creation.ready': CreationSummary;
    'creation.failed': CreationSummary;
  }
}

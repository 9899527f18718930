import { defineEvent } from '../../core/index.ts';
import { type PlanRun, planRun } from './runs/schema.ts';

const themes = {
  gate: 'themes' as const,
  status: 'approved' as const,
  comment: null,
  proposal: [{ id: 't1', title: 'The new rye course', reason: 'Bookings open this week.', newsId: null }],
};
const slot = {
  id: 's1',
  channel: 'linkedin',
  at: '2026-11-23T09:00:00.000Z',
  theme: 't1',
  idea: 'What people learn in six evenings.',
};

const example: PlanRun = {
  runId: 'plan_01JD3Q5S8ZK2M4N6P8R0T2V4W6',
  weekOf: '2026-11-23',
  timezone: 'Europe/Berlin',
  status: 'awaiting_decision',
  channels: ['linkedin'],
  brief: 'Bookings of the rye course open.',
  postsPerChannel: 1,
  gates: [themes, { gate: 'slots', status: 'pending', comment: null, proposal: [slot] }],
  results: [],
  leftOut: [],
  credits: { price: 0, charged: 0 },
  error: null,
  expiresAt: '2026-12-04T15:04:05.000Z',
  sandbox: false,
  createdAt: '2026-11-20T15:04:05.000Z',
  updatedAt: '2026-11-20T15:04:09.000Z',
};
const ended = { expiresAt: null, updatedAt: '2026-11-20T15:09:09.000Z' };

export const events = [
  defineEvent({
    type: 'content_plan.run.awaiting',
    description: 'A plan of a week has a proposal that waits for a decision: the first gate that is not approved.',
    data: planRun,
    example,
  }),
  defineEvent({
    type: 'content_plan.run.completed',
    description: 'The last gate of a plan was approved, and its holds or drafts were made.',
    data: planRun,
    example: {
      ...example,
      ...ended,
      status: 'completed',
      gates: [themes, { gate: 'slots', status: 'approved', comment: null, proposal: [slot] }],
      results: [{ kind: 'hold', id: 'soc_01JD3Q6T9ZK2M4N6P8R0T2V4W6' }],
    },
  }),
  defineEvent({
    type: 'content_plan.run.failed',
    description:
      'A plan leads to nothing: it failed, was rejected, or expired without a decision. Its status and error say which.',
    data: planRun,
    example: { ...example, ...ended, status: 'rejected', error: 'Rejected: nothing is posted that week.' },
  }),
];

declare module '../../core/contract/open.ts' {
  interface EventMap {
    'content_plan.run.awaiting': PlanRun;
    'content_plan.run.completed': PlanRun;
    'content_plan.run.failed': PlanRun;
  }
}

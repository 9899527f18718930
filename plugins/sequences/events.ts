import { defineEvent, z } from '../../core/index.ts';
import { type RunSummary, runSummary } from './schema.ts';

const nodeReached = z.object({ run: runSummary, nodeId: z.string(), event: z.unknown().nullable() });
export type NodeReached = z.output<typeof nodeReached>;

const active: RunSummary = {
  runId: 'run_01JD3Q5S8ZK2M4N6P8R0T2V4W6',
  sequenceId: 'seq_01JD3Q5S8ZK2M4N6P8R0T2V4W6',
  sequenceKey: 'welcome',
  sequenceVersion: 3,
  contact: { id: 'con_01JD3Q5S8ZK2M4N6P8R0T2V4W6', external_id: 'user_1042', email: 'ada@example.com' },
  status: 'active',
  currentNodes: ['greet'],
  variables: { plan: 'pro' },
  sandbox: false,
  startedAt: '2026-11-20T15:04:05.000Z',
  completedAt: null,
  exitReason: null,
};
const ended = { ...active, currentNodes: [], completedAt: '2026-11-21T15:04:05.000Z' };

const stepSkipped = z.object({ run: runSummary, nodeId: z.string(), reason: z.string() });
export type StepSkipped = z.output<typeof stepSkipped>;

const person = (run: RunSummary) => run.contact?.id;

export const events = [
  defineEvent({
    type: 'sequence_run.enrolled',
    description: 'A contact entered a sequence.',
    data: runSummary,
    person,
    example: active,
  }),
  defineEvent({
    type: 'sequence_run.completed',
    description: 'A run reached its last node or a goal; with a goal, exitReason is goal.',
    data: runSummary,
    person,
    example: { ...ended, status: 'completed' },
  }),
  defineEvent({
    type: 'sequence_run.exited',
    description:
      'A run ended early: by an exit node or exitWhen, or because its sequence was archived or its contact erased.',
    data: runSummary,
    person,
    example: { ...ended, status: 'exited', exitReason: 'exit_when' },
  }),
  defineEvent({
    type: 'sequence_run.cancelled',
    description: 'A run was canceled by a call.',
    data: runSummary,
    person,
    example: { ...ended, status: 'cancelled' },
  }),
  defineEvent({
    type: 'sequence_run.failed',
    description: 'A step failed permanently; exitReason says why.',
    data: runSummary,
    person,
    example: { ...ended, status: 'failed', exitReason: 'not_permitted' },
  }),
  defineEvent({
    type: 'sequence_run.step_skipped',
    description: 'A step was skipped, and the run continued. reason says why, such as overdue, suppressed or capped.',
    data: stepSkipped,
    person: ({ run }) => person(run),
    example: { run: active, nodeId: 'greet', reason: 'overdue' },
  }),
  defineEvent({
    type: 'sequence_run.node_reached',
    description: 'A run reached a webhook node. Only the subscription that the node names gets the event.',
    data: nodeReached,
    example: { run: active, nodeId: 'tell-crm', event: null },
  }),
];

declare module '../../core/contract/open.ts' {
  interface EventMap {
    'sequence_run.enrolled': RunSummary;
    'sequence_run.completed': RunSummary;
    'sequence_run.exited': RunSummary;
    'sequence_run.cancelled': RunSummary;
    'sequence_run.failed': RunSummary;
    'sequence_run.step_skipped': StepSkipped;
    'sequence_run.node_reached': NodeReached;
  }
}

import { defineEvent } from '../../core/index.ts';
import { type RequestResource, requestResource } from './schema.ts';

const example: RequestResource = {
  requestId: 'apr_01JD3Q5S8ZK2M4N6P8R0T2V4W6',
  surfaceKind: 'email_template',
  target: { kind: 'template', id: 'tpl_01JD3Q5S8ZK2M4N6P8R0T2V4W6' },
  transition: { operation: 'templates.publish', input: { key: 'welcome', allowBreaking: false } },
  status: 'pending',
  reason: null,
  contentHash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  summary: 'Publish a template: welcome.',
  note: null,
  diff: [{ path: 'subject', before: 'Welcome', after: 'Welcome, {{name}}' }],
  rule: { minApprovals: 1, reviewers: [] },
  submittedBy: { uid: 'u_1', keyId: 'key_01JD3Q5S8ZK2M4N6P8R0T2V4W6' },
  decisions: [],
  execution: null,
  supersedes: null,
  sandbox: false,
  createdAt: '2026-11-20T15:04:05.000Z',
  decidedAt: null,
  expiresAt: '2026-11-27T15:04:05.000Z',
};

const decided: RequestResource = {
  ...example,
  status: 'approved',
  decisions: [{ uid: 'u_2', decision: 'approve', comment: null, at: '2026-11-20T15:34:05.000Z' }],
  execution: { status: 'waiting', at: null, error: null },
  decidedAt: '2026-11-20T15:34:05.000Z',
};

export const events = [
  defineEvent({
    type: 'approval.requested',
    description: 'A call, a proposal or submitted content waits for a decision.',
    data: requestResource,
    example,
  }),
  defineEvent({
    type: 'approval.decided',
    description: 'A request was approved, turned down or withdrawn, or has expired.',
    data: requestResource,
    example: decided,
  }),
  defineEvent({
    type: 'approval.execution_failed',
    description: 'An approved call could not be carried out. The approval remains valid for one more publishing call.',
    data: requestResource,
    example: {
      ...decided,
      execution: { status: 'failed', at: '2026-11-20T15:34:06.000Z', error: 'contract_breaking' },
    },
  }),
];

declare module '../../core/contract/open.ts' {
  interface EventMap {
    'approval.requested': RequestResource;
    'approval.decided': RequestResource;
    'approval.execution_failed': RequestResource;
  }
}

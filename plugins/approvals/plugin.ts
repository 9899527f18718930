// The approvals plugin.
import { type CallsOf, checkOptions, definePlugin, errorDefinitions } from '../../core/index.ts';
import { errors } from './errors.ts';
import { events } from './events.ts';
import { createHolder, withdrawCompromised } from './holder.ts';
import { execute, giveUp } from './jobs/execute.ts';
import { expire } from './jobs/expire.ts';
import { migration0001 } from './migrations/0001-approvals.ts';
import { operations } from './operations/index.ts';
import type { ApprovalsPluginOptions } from './options.ts';
import { approvalRoutes } from './page/routes.ts';
import { personalData } from './personal-data.ts';
import { Policies } from './policies.ts';
import { schedules } from './schedules.ts';
import { scopes } from './scopes.ts';
import { type ApprovalsService, createApprovalsService } from './service.ts';
import { tables } from './tables.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    approvals: CallsOf<typeof operations>;
  }
  interface Services {
    /** Available if the approvals plugin is composed. */
    approvals: ApprovalsService;
  }
}

/** Policies that hold a change before it becomes public until members have decided. */
export const approvalsPlugin = (options: ApprovalsPluginOptions = {}) => {
  checkOptions<ApprovalsPluginOptions>('approvalsPlugin', options, { policies: 'optional', page: 'optional' });
  const { policies: fixed = {}, page } = options;

  const policies = new Policies(fixed);
  return definePlugin({
    id: 'approvals',
    scopes,
    operations,
    toolOrders: [
      {
        job: 'A call that answers that it waits for an approval',
        tools: ['read_approval'],
        note: 'Do not call it again: the approval carries it out.',
        everyToolset: true,
      },
    ],
    publicRoutes: approvalRoutes(page),
    events,
    errors: errorDefinitions(errors),
    tables,
    migrations: [migration0001],
    jobs: [execute, giveUp, expire],
    schedules,
    retention: {
      approval_requests: {
        rows: 'Requests for approval with their decisions',
        since: 'the request',
        default: '400 days',
        min: '30 days',
      },
      approval_diffs: { rows: 'The differences that requests show', since: 'the request', default: '90 days' },
    },
    personalData,
    services: { approvals: () => createApprovalsService(policies) },
    callHolder: createHolder(policies),
    keyCompromised: withdrawCompromised,
  });
};

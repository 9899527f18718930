// The approvals plugin.
import { type CallsOf, checkOptions, definePlugin, errorDefinitions } from '../../core/index.ts';
import { movedToConsole } from '../../core/unstable.ts';
import { createCallHolder, withdrawCompromised } from './call-holder.ts';
import { consolePages } from './console/index.ts';
import { overviewPart } from './console/overview.ts';
import { errors } from './errors.ts';
import { events } from './events.ts';
import { execute, giveUp } from './jobs/execute.ts';
import { expire } from './jobs/expire.ts';
import { migration0001 } from './migrations/0001-approvals.ts';
import { operations } from './operations/index.ts';
import type { ApprovalsPluginOptions } from './options.ts';
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
  checkOptions<ApprovalsPluginOptions>('approvalsPlugin', options, { policies: 'optional' });
  const policies = new Policies(options.policies ?? {});
  return definePlugin({
    id: 'approvals',
    searchWords: {
      approv: ['permission', 'review', 'signoff', 'ok', 'confirm', 'request', 'release', 'sign'],
      decision: ['waiting', 'ok', 'open', 'approval'],
      policy: ['rules', 'require', 'must', 'before', 'agent', 'bot', 'allow', 'need'],
      list_approval_polic: ['rules', 'who', 'needs'],
      read_approval: ['approved', 'rejected', 'state', 'decided', 'draft'],
      list_approvals: ['approved', 'rejected', 'decided', 'draft'],
      submit_for: ['check', 'review', 'colleague', 'before', 'leaves'],
    },
    scopes,
    operations,
    toolWorkflows: [
      {
        task: 'A call whose response says that it waits for an approval',
        tools: ['read_approval'],
        note: 'Do not repeat the call: it runs after the approval.',
        everyToolset: true,
      },
    ],
    publicRoutes: [movedToConsole('/approvals', () => 'approvals')],
    console: consolePages,
    contributes: { 'console.overview': () => overviewPart },
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
    callHolder: createCallHolder(policies),
    keyCompromised: withdrawCompromised,
  });
};

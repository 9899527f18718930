// The reputation plugin.
import { type CallsOf, checkOptions, definePlugin } from '../../core/index.ts';
import { consolePages } from './console/index.ts';
import { overviewPart } from './console/overview.ts';
import { createMailCounter } from './count-mail.ts';
import { events } from './events.ts';
import { createJudgeJob } from './jobs/judge.ts';
import { mergeJob } from './jobs/merge.ts';
import { createHoldFacts } from './mail-facts.ts';
import { migration0001 } from './migrations/0001-reputation.ts';
import { createOperations } from './operations/index.ts';
import { type ReputationOptions, rulesOf } from './options.ts';
import { createReleaseReputation, type ReleaseReputation } from './provisioning.ts';
import { createReceivers } from './receivers.ts';
import { retention, schedules } from './schedules.ts';
import { scopes } from './scopes.ts';
import { createReputationService, type ReputationService } from './service.ts';
import { tables } from './tables.ts';

declare module '../../core/contract/open.ts' {
  interface Api {
    reputation: CallsOf<ReturnType<typeof createOperations>>;
  }
  interface Services {
    reputation: ReputationService;
  }
  interface Provisioning {
    'workspaces.releaseReputation': { plugin: 'reputation'; calls: ReleaseReputation };
  }
}

/** Holds the marketing mail of a workspace whose mail bounces or is complained about too often. */
export const reputationPlugin = (options: ReputationOptions = {}) => {
  checkOptions<ReputationOptions>('reputationPlugin', options, {
    complaints: 'optional',
    hardBounces: 'optional',
    reportingDomains: 'optional',
  });
  const rules = rulesOf(options);
  const receivers = createReceivers(options.reportingDomains ?? []);
  return definePlugin({
    id: 'reputation',
    searchWords: {
      reputation: ['complaints', 'spam', 'bounces', 'rate', 'blocked', 'held', 'paused', 'warned', 'stopped', 'health'],
      release: ['unblock', 'resume', 'again', 'lift', 'hold'],
    },
    requires: ['email', 'approvals'],
    scopes,
    operations: createOperations(rules),
    console: consolePages,
    events,
    tables,
    migrations: [migration0001],
    jobs: [createJudgeJob(rules), mergeJob],
    schedules,
    retention,
    services: { reputation: createReputationService },
    extensionPoints: ['reputation.holds'],
    provisioning: { 'workspaces.releaseReputation': createReleaseReputation(rules) },
    contributes: {
      'console.overview': () => overviewPart,
      'email.marketing_facts': createHoldFacts,
      'email.results': createMailCounter(receivers),
    },
  });
};

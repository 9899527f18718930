import { defineOperation } from '../../../core/index.ts';
import type { ReputationRule } from '../options.ts';
import { reputationResource } from '../schema.ts';
import { showReputation } from '../state.ts';

export const readReputation = (rules: readonly ReputationRule[]) =>
  defineOperation({
    id: 'reputation.read',
    summary: 'Read the reputation',
    description:
      'Whether marketing mail is held, the rates of complaints and hard bounces of the last hour and the last 24 hours, and the changes of the state. Mail counts at the time at which it was handed over. Only the live side counts: a sandbox key reads an empty reputation.',
    http: 'GET /v1/reputation',
    tool: 'read_reputation',
    scopes: ['sends:read'],
    idempotency: 'read',
    output: reputationResource,
    fixture: async () => ({}),

    handler: ({ trx, now, workspace }) => showReputation(trx, rules, { domains: workspace.sendingDomains, now }),
  });

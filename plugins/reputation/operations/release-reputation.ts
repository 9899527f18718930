import { defineOperationWithPrepare, type FixtureKit, z } from '../../../core/index.ts';
import type { ReputationRule } from '../options.ts';
import { releaseNote, reputationResource } from '../schema.ts';
import { releaseMarketing, showReputation } from '../state.ts';
import { initialState } from '../store.ts';
import { stateRows } from '../tables.ts';

/** Lets the guard hold the marketing mail of the workspace under test. */
const hold = (kit: FixtureKit): Promise<void> =>
  kit.write(({ trx }) => stateRows.upsert(trx, { ...initialState, state: 'held' }, ['category'], { state: 'held' }));

export const releaseReputation = (rules: readonly ReputationRule[]) =>
  defineOperationWithPrepare({
    id: 'reputation.release',
    summary: 'Release marketing mail',
    description:
      'Ends a hold after complaints or hard bounces: waiting marketing mail is sent within 15 minutes, and the rates count only mail from now on. Remove the addresses that caused it first. Only a member can do this: a key that is bound to no member gets 403.',
    http: 'POST /v1/reputation/release',
    tool: { name: 'release_reputation', destructive: true },
    scopes: ['broadcasts:send'],
    idempotency: 'replay',
    liveOnly: true,
    input: {
      body: z.object({
        note: releaseNote,
        actingAsMemberUid: z
          .string()
          .min(1)
          .max(200)
          .optional()
          .describe('A member of the key, for whom the call acts. (Default: its only member)'),
      }),
    },
    output: reputationResource,
    errors: ['member_not_allowed', 'state_conflict'],
    audit: { action: 'reputation.release', target: () => ({ kind: 'reputation', id: 'marketing' }) },
    fixture: async (kit) => {
      await hold(kit);
      return {
        body: { note: 'The imported list is deleted.' },
        errors: {
          member_not_allowed: async () => ({ body: { note: 'Mine', actingAsMemberUid: 'u_nobody' } }),
          state_conflict: 'unreachable here: shown in test/plugins/reputation.test.ts',
        },
      };
    },

    prepare: ({ ports, workspace }) => ports.members.list(workspace.id),

    async handler(ctx, { body: { note, actingAsMemberUid } }, members) {
      const uid = ctx.services.approvals.actingMember(ctx.actor, actingAsMemberUid, members);
      ctx.note({ uid });
      await releaseMarketing(ctx, { by: uid, note });
      return showReputation(ctx.trx, rules, { domains: ctx.workspace.sendingDomains, now: ctx.now });
    },
  });

import { type Actor, defineOperation, heldResponse, respond, z } from '../../../core/index.ts';
import { findHead, lockSequence } from '../find-sequence.ts';
import { sequenceKindId } from '../kind-id.ts';
import { showSequence } from '../present.ts';
import { checkDraft, checkVersion } from '../publish/check.ts';
import { checkPermissions, grantedScopes } from '../publish/permissions.ts';
import { publishRow } from '../publish/publish.ts';
import { checkTransition, refuseCodeSequence } from '../publish/states.ts';
import { keyOrId, sequenceResource, sequenceResourceObject } from '../schema.ts';
import { countCurrent, disallowedCurrentDomain } from '../segments/current-contacts.ts';
import { someArchived, someDraft } from './fixture-rows.ts';

const noTier = 'unreachable here: shown in test/plugins/sequences-social-events.test.ts' as const;

/** The member for whom the key acts. A key that belongs to exactly one member acts as that member. */
const memberOf = ({ member, members = [] }: Actor): string | null =>
  member ?? (members.length === 1 ? members[0] : undefined) ?? null;

export const publishSequence = defineOperation({
  id: 'sequences.publish',
  summary: 'Publish a sequence',
  description:
    'Makes the working copy the next version: new runs follow it, running ones keep theirs. Needs the scope and plan of every node, because the nodes act with them from then on. A paused sequence stays paused. A dry run reports the faults.',
  http: 'POST /v1/sequences/{keyOrId}/publish',
  tool: 'publish_sequence',
  scopes: ['sequences:write'],
  liveOnly: true,
  idempotency: 'replay',
  input: { params: z.object({ keyOrId }) },
  output: sequenceResource,
  secondSuccess: heldResponse(sequenceResourceObject),
  contentKind: sequenceKindId,
  errors: ['sequence_not_found', 'sequence_invalid', 'state_conflict', 'plan_required', 'limit_reached'],
  emits: ['approval.requested', 'approval.decided'],
  // With includeCurrent, publishing enrols the contacts of the segment at once, so they are its recipients.
  leash: {
    recipients: async (ctx, { params }) => countCurrent(ctx, (await findHead(ctx.trx, params.keyOrId)).trigger),
    disallowedRecipient: async (ctx, { params }, allowed) =>
      disallowedCurrentDomain(ctx, (await findHead(ctx.trx, params.keyOrId)).trigger, allowed),
  },
  audit: { action: 'sequence.publish', target: ({ id }) => ({ kind: 'sequence', id }) },
  fixture: async (kit) => ({
    params: { keyOrId: await someDraft(kit, kit.workspaceId) },
    foreign: { keyOrId: await someDraft(kit, kit.foreignWorkspaceId) },
    errors: {
      async sequence_invalid(own) {
        const { key } = await own.call('sequences.create', { name: own.unique('Empty') });
        return { params: { keyOrId: String(key) } };
      },
      state_conflict: async (own) => ({ params: { keyOrId: await someArchived(own, own.workspaceId) } }),
      plan_required: noTier,
      limit_reached: 'unreachable here: shown in test/plugins/approvals.test.ts',
    },
  }),

  async handler(ctx, { params }) {
    const row = await lockSequence(ctx.trx, params.keyOrId);
    refuseCodeSequence(row);
    checkTransition(row, 'publish');
    const { definition } = row;
    checkDraft(ctx, definition);
    await checkVersion(ctx, row.key, definition);
    checkPermissions(ctx, definition);
    const approval = await ctx.requireDecision(row.id);
    if (approval !== undefined) return respond(202, { ...(await showSequence(ctx, row)), approval });
    const published = await publishRow(ctx, row, {
      keyId: ctx.actor.keyId ?? null,
      member: memberOf(ctx.actor),
      scopes: grantedScopes(ctx, definition),
      ...(ctx.leash === undefined ? {} : { atMost: ctx.leash.recipients }),
    });
    await ctx.contentChanged(sequenceKindId, [row.id]);
    ctx.note({ key: published.key, version: published.version });
    return showSequence(ctx, published);
  },
});

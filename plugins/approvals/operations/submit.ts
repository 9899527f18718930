import { coreErrors, defineOperation, z } from '../../../core/index.ts';
import { contentHash } from '../../../core/unstable.ts';
import { actingMember } from '../members.ts';
import { showRequest } from '../present.ts';
import { createRequest } from '../requests.ts';
import { actingAsMemberUid, contentKindId, noteText, openPolicy, requestResource } from '../schema.ts';
import { someTemplateId } from './fixture-rows.ts';

export const submitForApproval = defineOperation({
  id: 'approvals.submit',
  summary: 'Ask for an approval',
  description:
    'Asks for a decision on the current content of a target. The approval does not publish it: afterwards, one call that publishes exactly this content need not wait. Any key with the scope may make that call.',
  http: 'POST /v1/approvals/requests',
  tool: 'submit_for_approval',
  scopes: ['approvals:submit', 'approvals:write'],
  idempotency: 'replay',
  input: {
    body: z.object({
      surfaceKind: contentKindId,
      targetId: z.string().min(1).max(200).describe('The id of the target; of a template or sequence also its key.'),
      note: noteText.optional().describe('For the members who decide.'),
      actingAsMemberUid,
    }),
  },
  output: requestResource,
  status: 201,
  errors: ['member_not_allowed', 'state_conflict', 'limit_reached'],
  emits: ['approval.requested'],
  audit: { action: 'approval.submit', target: ({ requestId }) => ({ kind: 'approval', id: requestId }) },
  fixture: async (kit) => ({
    body: { surfaceKind: 'email_template', targetId: await someTemplateId(kit) },
    foreign: { body: { targetId: await someTemplateId(kit, kit.foreignWorkspaceId) } },
    errors: {
      member_not_allowed: async () => ({
        body: {
          surfaceKind: 'email_template',
          targetId: await someTemplateId(kit),
          actingAsMemberUid: 'u_nobody',
        },
      }),
      state_conflict: async () => {
        const targetId = await someTemplateId(kit);
        await kit.call('approvals.submit', { surfaceKind: 'email_template', targetId });
        return { body: { surfaceKind: 'email_template', targetId } };
      },
      limit_reached: 'unreachable here: shown in test/plugins/approvals.test.ts',
    },
  }),

  async handler(ctx, { body: { surfaceKind: kind, targetId: targetRef, note, actingAsMemberUid: memberInput } }) {
    const uid = actingMember(ctx.actor, memberInput);
    const contentKind = ctx.ports.heldCalls.contentKinds.get(kind);
    if (contentKind === undefined)
      ctx.refuse([{ path: 'surfaceKind', code: 'unknown', message: `This service has nothing of the kind ${kind}.` }]);
    const targetId = (await contentKind?.idOf?.(ctx, targetRef)) ?? targetRef;
    const content = await contentKind?.read(ctx, targetId);
    if (contentKind === undefined || content === undefined) {
      const message = `There is no ${contentKind?.targetKind ?? kind} ${targetRef} that could be published.`;
      throw coreErrors.validation_failed(
        { summary: `targetId: ${message}` },
        { details: [{ path: 'targetId', code: 'unknown', message }] },
      );
    }
    if (content.before !== null && contentHash(content.before) === contentHash(content.content))
      throw coreErrors.state_conflict({
        reason: `The ${contentKind.targetKind} ${targetRef} is already public with this content. Change it first.`,
      });
    const policy = await ctx.services.approvals.policies.read(ctx.trx, kind);
    const row = await createRequest(ctx, {
      contentKind,
      targetId,
      content,
      transition: null,
      purpose: 'Approve the content',
      note: note ?? null,
      policy: policy.required ? policy : openPolicy,
      publishesAt: undefined,
      actor: ctx.actor,
      uid,
    });
    ctx.note({ surface: kind });
    return showRequest(ctx.trx, row);
  },
});

import { coreErrors, defineOperation, idParameter, z } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { someGrant } from '../fixture-rows.ts';
import { closeGrant, findGrant } from '../grants/store.ts';

export const revokeGrant = defineOperation({
  id: 'oauth.grant_revoke',
  summary: 'End an OAuth grant',
  description:
    'The program loses its access at its next call, and has to ask a member again. A sandbox key ends grants of the sandbox only.',
  http: 'DELETE /v1/oauth/grants/{grantId}',
  tool: { name: 'revoke_grant', destructive: true },
  scopes: ['keys:manage'],
  idempotency: 'natural',
  allowWhenSuspended: true,
  audit: { action: 'oauth.grant.revoke', target: ({ grantId }) => ({ kind: 'grant', id: grantId }) },
  input: { params: z.object({ grantId: idParameter('grt') }) },
  output: z.object({ grantId: z.string(), revoked: z.literal(true) }),
  errors: ['grant_not_found', 'live_key_required'],
  fixture: async (kit) => ({
    params: { grantId: await someGrant(kit) },
    foreign: { grantId: await someGrant(kit, kit.foreignWorkspaceId) },
    errors: { live_key_required: 'unreachable here: shown in test/plugins/oauth-grants.test.ts' },
  }),

  async handler(ctx, { params }) {
    const row = await findGrant(ctx.trx, params.grantId, ctx.now);
    if (row === undefined) throw errors.grant_not_found({ id: params.grantId });
    const isLive = Number(row.sandbox) === 0 && ctx.workspace.plan.name !== 'sandbox';
    if (isLive && ctx.sandbox) throw coreErrors.live_key_required();
    await closeGrant(ctx.trx, row, ctx.now);
    return { grantId: row.id, revoked: true as const };
  },
});

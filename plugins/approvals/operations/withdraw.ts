import { coreErrors, defineOperation, idParameter, type OperationContext, z } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { showRequest } from '../present.ts';
import { releaseTarget } from '../release.ts';
import { endRequest } from '../requests.ts';
import { noteText, requestResource } from '../schema.ts';
import { type RequestRow, requestRows } from '../tables.ts';
import { someRequest, someRequestId } from './fixture-rows.ts';

/** Whether the caller made the request or may decide on requests. */
function mayWithdraw({ actor, holds }: OperationContext, row: RequestRow): boolean {
  if (holds('approvals:write') || (row.key_id !== null && row.key_id === actor.keyId)) return true;
  const uids = actor.member === undefined ? (actor.members ?? []) : [actor.member];
  return row.submitted_uid !== null && uids.includes(row.submitted_uid);
}

export const withdrawRequest = defineOperation({
  id: 'approvals.withdraw',
  summary: 'Withdraw a request for approval',
  description:
    'Keys with approvals:submit withdraw requests of their own or of their members. Afterwards, edit the target and submit it again.',
  http: 'POST /v1/approvals/requests/{requestId}/withdraw',
  tool: 'withdraw_approval',
  scopes: ['approvals:submit', 'approvals:write'],
  idempotency: 'replay',
  input: { params: z.object({ requestId: idParameter('apr') }), body: z.object({ note: noteText.min(1).optional() }) },
  output: requestResource,
  errors: ['approval_not_found', 'state_conflict', 'insufficient_scope'],
  emits: ['approval.decided'],
  audit: { action: 'approval.withdraw', target: ({ requestId }) => ({ kind: 'approval', id: requestId }) },
  fixture: async (kit) => ({
    params: { requestId: await someRequestId(kit, kit.workspaceId) },
    body: {},
    foreign: { requestId: await someRequestId(kit, kit.foreignWorkspaceId) },
    errors: {
      state_conflict: async () => {
        const { id } = await someRequest(kit);
        await kit.call('approvals.withdraw', { requestId: id });
        return { params: { requestId: id } };
      },
      insufficient_scope: 'unreachable here: shown in test/plugins/approvals-decisions.test.ts',
    },
  }),

  async handler(ctx, { params: { requestId: id }, body: { note } }) {
    const row = await requestRows.lock(ctx.trx, id);
    if (row === undefined) throw errors.approval_not_found({ id });
    if (!mayWithdraw(ctx, row)) throw coreErrors.insufficient_scope({ scopes: ['approvals:write'] });
    if (row.status !== 'pending')
      throw coreErrors.state_conflict({
        reason: `The request is ${row.status} already. Only pending requests can be withdrawn.`,
      });
    const ended = await endRequest(ctx, row, 'withdrawn', note ?? null);
    await releaseTarget(ctx, ended);
    return showRequest(ctx.trx, ended);
  },
});

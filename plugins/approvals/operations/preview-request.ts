import { defineOperationWithPrepare, idParameter, z } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { previewOf } from '../preview.ts';
import { requestRows } from '../tables.ts';
import { someRequestId } from './fixture-rows.ts';

const side = z
  .object({ subject: z.string().nullable(), html: z.string().describe('A whole document.') })
  .nullable()
  .describe('null if there is nothing on this side.');

export const previewRequest = defineOperationWithPrepare({
  id: 'approvals.preview',
  summary: 'Preview the change of a request',
  description:
    'Shows the content that would become public and the public content; for a decided request, the change that was decided on.',
  http: 'GET /v1/approvals/requests/{requestId}/preview',
  scopes: ['approvals:read'],
  idempotency: 'read',
  input: { params: z.object({ requestId: idParameter('apr') }) },
  output: z
    .object({
      state: z
        .enum(['rendered', 'content_changed', 'not_rendered'])
        .describe(
          'content_changed: the content is no longer the content that was decided on. not_rendered: this content has no rendering, or it failed; the differences of the request say what changes.',
        ),
      before: side,
      after: side,
    })
    .meta({ id: 'ApprovalPreview' }),
  errors: ['approval_not_found'],
  fixture: async (kit) => ({
    params: { requestId: await someRequestId(kit, kit.workspaceId) },
    foreign: { requestId: await someRequestId(kit, kit.foreignWorkspaceId) },
  }),

  async prepare(ctx, { params: { requestId: id } }) {
    const row = await ctx.read(({ trx }) => requestRows.find(trx, id));
    if (row === undefined) throw errors.approval_not_found({ id });
    const { services, ports, log, now, workspace, read } = ctx;
    const preview = await previewOf({ services, ports, log, now, workspaceId: workspace.id, read }, row);
    const { before, after } = preview.state === 'rendered' ? preview.change : { before: null, after: null };
    return { state: preview.state, before, after };
  },

  handler: async (_ctx, _input, preview) => preview,
});

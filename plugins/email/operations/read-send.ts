import { defineOperation, z } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { answerSend, presentSend } from '../present.ts';
import { sendPublic } from '../schema.ts';
import { findSend, listEvents } from '../store.ts';
import { someSend } from './fixture-rows.ts';

export const readSend = defineOperation({
  id: 'sends.read',
  summary: 'Read a send',
  description: 'Its status and its timeline.',
  http: 'GET /v1/sends/{id}',
  tool: 'read_send',
  scopes: ['sends:read'],
  idempotency: 'read',
  input: { params: z.object({ id: z.string().max(100) }) },
  output: sendPublic,
  errors: ['send_not_found'],
  fixture: async (kit) => ({
    params: { id: await someSend(kit, kit.workspaceId) },
    foreign: { id: await someSend(kit, kit.foreignWorkspaceId) },
  }),

  async handler(ctx, { params }) {
    const row = await findSend(ctx.trx, params.id);
    if (row === undefined) throw errors.send_not_found({ id: params.id });
    return answerSend(ctx, row, presentSend(row, await listEvents(ctx.trx, row.id)));
  },
});

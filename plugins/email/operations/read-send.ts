import { defineOperation, idParameter, type OperationContext, z } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { presentSend, sendResponse } from '../present.ts';
import { sendPublic } from '../schema.ts';
import { listEvents, sendRows } from '../store.ts';
import type { SendRow } from '../tables.ts';
import { someSend } from './fixture-rows.ts';

/** The send on the caller's side. A live key also finds test sends, which are always on the sandbox side. */
const findSend = async ({ trx, sandbox }: OperationContext, id: string): Promise<SendRow | undefined> =>
  (await sendRows.find(trx, id)) ?? (sandbox ? undefined : sendRows.findBy(trx.onSide(true), { id, test: true }));

export const readSend = defineOperation({
  id: 'sends.read',
  summary: 'Read a send',
  description:
    'Its status and its timeline. A live key reads live sends, and test sends, which are in the sandbox; a sandbox key reads sandbox sends.',
  http: 'GET /v1/sends/{id}',
  tool: { name: 'read_send', inCoreToolset: true },
  searchWords: ['arrived', 'reach', 'received', 'opened', 'bounced', 'delivered', 'got', 'status'],
  scopes: ['sends:read'],
  idempotency: 'read',
  input: { params: z.object({ id: idParameter('snd') }) },
  output: sendPublic,
  errors: ['send_not_found'],
  fixture: async (kit) => ({
    params: { id: await someSend(kit, kit.workspaceId) },
    foreign: { id: await someSend(kit, kit.foreignWorkspaceId) },
  }),

  async handler(ctx, { params }) {
    const row = await findSend(ctx, params.id);
    if (row === undefined) throw errors.send_not_found({ id: params.id });
    return sendResponse(ctx, row, presentSend(row, await listEvents(ctx.trx.onSide(row.sandbox), row.id)));
  },
});

import { coreErrors, defineOperation, idParameter, z } from '../../../core/index.ts';
import { giveBackBudget } from '../../../core/unstable.ts';
import { errors } from '../errors.ts';
import { sendResponse } from '../present.ts';
import { sendPublic } from '../schema.ts';
import { sendRows } from '../store.ts';
import { recordAndShow } from '../timeline/record.ts';
import { canceledSentence } from '../timeline/why-not-sent.ts';
import { scheduledSend, someSend } from './fixture-rows.ts';

export const cancelSend = defineOperation({
  id: 'email.cancel_scheduled',
  summary: 'Cancel a scheduled send',
  description:
    'Cancels a send with send_at that was not picked up for delivery yet: nothing is sent, and it no longer counts against the month in which it was accepted. Later, the call answers 409 state_conflict.',
  http: 'POST /v1/sends/{id}/cancel',
  tool: { name: 'cancel_scheduled_send', destructive: true },
  scopes: ['templates:send'],
  idempotency: 'replay',
  input: { params: z.object({ id: idParameter('snd') }) },
  output: sendPublic,
  errors: ['send_not_found', 'state_conflict'],
  emits: ['send.canceled'],
  audit: { action: 'transactional.cancel', target: ({ messageId }) => ({ kind: 'message', id: messageId }) },
  fixture: async (kit) => ({
    params: { id: await scheduledSend(kit, kit.workspaceId) },
    foreign: { id: await scheduledSend(kit, kit.foreignWorkspaceId) },
    errors: { state_conflict: async (own) => ({ params: { id: await someSend(own, own.workspaceId) } }) },
  }),

  async handler(ctx, { params: { id } }) {
    const send = await sendRows.lock(ctx.trx, id);
    if (send === undefined) throw errors.send_not_found({ id });
    const kind = send.sandbox ? 'email.simulate' : 'email.deliver';
    // The job decides: if a worker has claimed it, the message may already be leaving.
    const waits = send.status === 'scheduled' && (await ctx.cancelJob({ kind, key: id }));
    if (!waits)
      throw coreErrors.state_conflict({
        reason: `The send is ${send.status === 'scheduled' ? 'being sent' : send.status} and can no longer be canceled.`,
      });
    const reason = canceledSentence(ctx.actor);
    const response = await recordAndShow(ctx, send, {
      type: 'send.canceled',
      status: 'canceled',
      details: { reason },
      whyNotSent: reason,
      finished: true,
    });
    if (!send.sandbox) giveBackBudget(ctx, 'sends', send.created_at, 1);
    return sendResponse(ctx, send, response);
  },
});

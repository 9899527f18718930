import { defineOperation, z } from '../../../core/index.ts';
import { acceptSend, checkAgreement, lookUp } from '../accept.ts';
import { acceptErrors } from '../errors.ts';
import { countedSendEvents } from '../events.ts';
import { oneRecipient } from '../recipient.ts';
import { sendBody, sendPublic } from '../schema.ts';
import { narrowSendTool, sendToolMark, suppressedNotice } from '../send-tool.ts';
import { sendProvocations } from './fixture-errors.ts';
import { publishedTemplate } from './fixture-rows.ts';

export const sendEmail = defineOperation({
  id: 'email.send',
  summary: 'Send a transactional email',
  description:
    'Accepts one message to one recipient from a published template. The answer means that it survives any crash from here on; delivery follows. A suppressed recipient is no error: the answer says so.',
  http: 'POST /v1/templates/{key}/send',
  tool: {
    name: 'send_transactional',
    openWorld: true,
    narrow: narrowSendTool,
    narrowedBy: sendToolMark,
    notice: suppressedNotice,
  },
  scopes: ['templates:send'],
  idempotency: 'replay',
  keyRequiredFromTier: 2,
  rename: { key: 'template' },
  fieldHints: { cc: oneRecipient, bcc: oneRecipient },
  input: { params: z.object({ key: z.string().max(200) }), body: sendBody },
  output: sendPublic,
  status: 202,
  errors: [...acceptErrors, 'send_at_invalid', 'sandbox_only', 'send_budget_exhausted'],
  emits: countedSendEvents,
  audit: { action: 'transactional.send', target: ({ messageId }) => ({ kind: 'message', id: messageId }) },
  fixture: async (kit) => {
    const body = { to: `${kit.unique('to')}@example.com`, variables: { name: 'Ada' } };
    return {
      params: { key: await publishedTemplate(kit, kit.workspaceId) },
      body,
      foreign: { key: await publishedTemplate(kit, kit.foreignWorkspaceId) },
      errors: sendProvocations(kit, body, (key, changed) => ({ params: { key }, body: changed })),
    };
  },

  readInside: (ctx, { params, body }) => lookUp(ctx, params.key, body),
  async handler(ctx, { params, body }, _, reading) {
    checkAgreement(ctx, params.key, body);
    return acceptSend(ctx, body, reading);
  },
});

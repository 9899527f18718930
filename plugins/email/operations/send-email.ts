import { defineOperation, z } from '../../../core/index.ts';
import { acceptSend, checkTemplateKey, readForSend } from '../accept/accept.ts';
import { oneRecipient, outsideRecipient } from '../accept/recipient.ts';
import { narrowSendTool, sendToolFingerprint, suppressedNotice } from '../accept/send-tool.ts';
import { acceptErrors } from '../errors.ts';
import { countedSendEvents } from '../events.ts';
import { sendBody, sendPublic } from '../schema.ts';
import { sendErrorCases } from './fixture-errors.ts';
import { publishedTemplate } from './fixture-rows.ts';

export const sendEmail = defineOperation({
  id: 'email.send',
  summary: 'Send a transactional email',
  description:
    'Accepts one message to one recipient from a published template. A 202 means that the message is stored, and will be delivered even after a crash. If the recipient is suppressed, the answer says so; this is not an error.',
  http: 'POST /v1/templates/{key}/send',
  tool: {
    name: 'send_transactional',
    inCoreToolset: true,
    note: 'read_template_schema returns the variables of one template. With ?templates=compact at the end of the URL of this endpoint, tools/list leaves out the variables of all templates.',
    openWorld: true,
    workspaceSchema: narrowSendTool,
    workspaceSchemaKey: sendToolFingerprint,
    notice: suppressedNotice,
  },
  searchWords: [
    'receipt',
    'confirmation',
    'tell',
    'inform',
    'notify',
    'customer',
    'order',
    'parcel',
    'invoice',
    'reset',
    'one',
  ],
  scopes: ['templates:send'],
  idempotency: 'replay',
  idempotencyKeyRequiredFromTier: 2,
  sharesTransaction: true,
  rename: { key: 'template' },
  fieldHints: { cc: oneRecipient, bcc: oneRecipient },
  input: { params: z.object({ key: z.string().max(200) }), body: sendBody },
  output: sendPublic,
  status: 202,
  errors: [...acceptErrors, 'send_at_invalid', 'sandbox_only', 'send_budget_exhausted'],
  emits: countedSendEvents,
  leash: { recipients: () => 1, disallowedRecipient: (_, { body }, allowed) => outsideRecipient([body], allowed) },
  audit: { action: 'transactional.send', target: ({ messageId }) => ({ kind: 'message', id: messageId }) },
  fixture: async (kit) => {
    const body = { to: `${kit.unique('to')}@example.com`, variables: { name: 'Ada' } };
    return {
      params: { key: await publishedTemplate(kit, kit.workspaceId) },
      body,
      foreign: { key: await publishedTemplate(kit, kit.foreignWorkspaceId) },
      errors: sendErrorCases(kit, body, (key, changed) => ({ params: { key }, body: changed })),
    };
  },

  prefetch: (ctx, { params, body }) => readForSend(ctx, params.key, body),
  async handler(ctx, { params, body }, _, reading) {
    checkTemplateKey(ctx, params.key, body);
    return acceptSend(ctx, body, reading);
  },
});

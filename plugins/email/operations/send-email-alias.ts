import { defineOperation } from '../../../core/index.ts';
import { acceptSend, readForSend } from '../accept/accept.ts';
import { oneRecipient, outsideRecipient } from '../accept/recipient.ts';
import { acceptErrors } from '../errors.ts';
import { countedSendEvents } from '../events.ts';
import { aliasBody, sendPublic } from '../schema.ts';
import { sendErrorCases } from './fixture-errors.ts';
import { publishedTemplate } from './fixture-rows.ts';

export const sendEmailAlias = defineOperation({
  id: 'email.send_alias',
  summary: 'Send a transactional email, with the template in the body',
  description:
    'The same as POST /v1/templates/{key}/send. For Idempotency-Key they are two endpoints: a key used there has no effect here.',
  http: 'POST /v1/transactional/send',
  scopes: ['templates:send'],
  idempotency: 'replay',
  idempotencyKeyRequiredFromTier: 2,
  sharesTransaction: true,
  fieldHints: { key: 'Did you mean template?', cc: oneRecipient, bcc: oneRecipient },
  input: { body: aliasBody },
  output: sendPublic,
  status: 202,
  errors: [...acceptErrors, 'send_at_invalid', 'sandbox_only', 'send_budget_exhausted'],
  emits: countedSendEvents,
  leash: { recipients: () => 1, disallowedRecipient: (_, { body }, allowed) => outsideRecipient([body], allowed) },
  audit: { action: 'transactional.send', target: ({ messageId }) => ({ kind: 'message', id: messageId }) },
  fixture: async (kit) => {
    const body = { to: `${kit.unique('to')}@example.com`, variables: { name: 'Ada' } };
    return {
      body: { template: await publishedTemplate(kit, kit.workspaceId), ...body },
      foreign: { body: { template: await publishedTemplate(kit, kit.foreignWorkspaceId) } },
      errors: sendErrorCases(kit, body, (template, changed) => ({ body: { template, ...changed } })),
    };
  },

  prefetch: (ctx, { body }) => readForSend(ctx, body.template, body),
  handler: (ctx, { body }, _, reading) => acceptSend(ctx, body, reading),
});

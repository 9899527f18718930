import { defineOperation, z } from '../../../core/index.ts';
import { acceptTest } from '../accept/accept.ts';
import { acceptErrors } from '../errors.ts';
import { sendingEvents } from '../events.ts';
import { sendPublic, testBody } from '../schema.ts';
import { messageErrorCases } from './fixture-errors.ts';
import { publishedTemplate } from './fixture-rows.ts';

export const sendTest = defineOperation({
  id: 'email.send_test',
  summary: 'Send a test',
  description:
    'Puts the message into the sandbox inbox, even with a live key: it reaches no recipient, nothing is counted or charged, and no suppression stops it. By default it shows the working copy, filled with the first example of its contract, or with made-up values of its types. inboxUrl says where to look.',
  http: 'POST /v1/templates/{key}/send-test',
  tool: 'send_test',
  scopes: ['templates:send'],
  idempotency: 'replay',
  rename: { key: 'template' },
  input: { params: z.object({ key: z.string().max(200) }), body: testBody },
  output: sendPublic,
  status: 202,
  errors: acceptErrors,
  emits: sendingEvents,
  audit: { action: 'transactional.send_test', target: ({ messageId }) => ({ kind: 'message', id: messageId }) },
  fixture: async (kit) => {
    const body = { variables: { name: 'Ada' } };
    return {
      params: { key: await publishedTemplate(kit, kit.workspaceId) },
      body,
      foreign: { key: await publishedTemplate(kit, kit.foreignWorkspaceId) },
      errors: messageErrorCases(kit, { ...body, draft: false }, (key, changed) => ({
        params: { key },
        body: changed,
      })),
    };
  },

  handler: (ctx, { params, body }) => acceptTest(ctx, params.key, body),
});

import { defineOperation } from '../../../core/index.ts';
import { acceptBatch } from '../accept/accept-batch.ts';
import { checkRecipientsInSlices } from '../accept/batch-recipients.ts';
import { outsideRecipient } from '../accept/recipient.ts';
import { acceptErrors, errors } from '../errors.ts';
import { countedSendEvents } from '../events.ts';
import { batchBody, batchResult } from '../schema.ts';
import { sendErrorCases } from './fixture-errors.ts';
import { publishedTemplate } from './fixture-rows.ts';

/** The maximum number of batches that a workspace may run at the same time. */
const batchesAtOnce = 4;
const retryAfterSeconds = 1;

export const sendBatch = defineOperation({
  id: 'email.batch',
  summary: 'Send a transactional email to many recipients',
  description:
    'Accepts a message of its own for each of up to 1,000 recipients. Each is accepted or refused by itself: at its position, the answer has the id and the status of the send, or the error. A fault in the shared parts (template, sender, headers, attachments, send_at) fails the whole call. Counts as one request; a workspace has at most four batches in flight.',
  http: 'POST /v1/transactional/batch',
  tool: { name: 'send_transactional_batch', openWorld: true },
  searchWords: ['many', 'same', 'customers', 'each', 'several'],
  scopes: ['templates:send'],
  idempotency: 'replay',
  fieldHints: { key: 'Did you mean template?' },
  input: { body: batchBody },
  output: batchResult,
  status: 202,
  errors: [...acceptErrors.filter((code) => code !== 'variables_invalid'), 'send_at_invalid', 'batch_concurrency'],
  emits: countedSendEvents,
  leash: {
    recipients: (_, { body }) => body.recipients.length,
    disallowedRecipient: (_, { body }, allowed) => outsideRecipient(body.recipients, allowed),
  },
  atOnce: {
    limit: batchesAtOnce,
    refused: () => errors.batch_concurrency({ limit: batchesAtOnce }, { retryAfterSeconds }),
  },
  audit: {
    action: 'transactional.batch',
    target: (_, { body }) => ({ kind: 'template', id: body.template }),
  },
  fixture: async (kit) => {
    const recipient = () => ({ to: `${kit.unique('to')}@example.com`, variables: { name: 'Ada' } });
    const body = { recipients: [recipient(), recipient()] };
    const { sandbox_only, send_budget_exhausted, variables_invalid, ...raised } = sendErrorCases(
      kit,
      body,
      (template, changed) => ({ body: { template, ...changed } }),
    );
    return {
      body: { template: await publishedTemplate(kit, kit.workspaceId), ...body },
      foreign: { body: { template: await publishedTemplate(kit, kit.foreignWorkspaceId) } },
      errors: { ...raised, batch_concurrency: 'unreachable here: shown in test/plugins/email-batch.test.ts' },
    };
  },

  computeBefore: (ctx, { body }) => checkRecipientsInSlices(ctx, body),
  handler: async (ctx, { body }, computed) => ({ data: await acceptBatch(ctx, body, computed) }),
});

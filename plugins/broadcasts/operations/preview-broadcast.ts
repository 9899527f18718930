import { coreErrors, defineOperationWithPrepare, idParameter, z } from '../../../core/index.ts';
import { broadcastRows } from '../broadcasts.ts';
import { errors } from '../errors.ts';
import { variantName } from '../experiments/schema.ts';
import { mailFor } from '../test-mails/mail-for.ts';
import { lastTestOf, lastTestSchema } from '../test-mails/tested.ts';
import { draftWithoutName, emptyDraft, someContact, someDraft } from './fixture-rows.ts';

const missing = 'con_01ARZ3NDEKTSV4RRFFQ69G5FAV';

export const previewBroadcast = defineOperationWithPrepare({
  id: 'broadcasts.preview',
  summary: 'Preview a broadcast',
  description:
    'The mail as one contact would get it, with its unsubscribe link and postal address. Without contactId, variables with Liquid show examples of the template. Nothing is sent. lastTest says what has changed since the last test. A contactId needs contacts:read, too.',
  http: 'POST /v1/broadcasts/{broadcastId}/preview',
  tool: 'preview_broadcast',
  scopes: ['broadcasts:read'],
  idempotency: 'read',
  input: {
    params: z.object({ broadcastId: idParameter('brc') }),
    body: z.object({
      contactId: idParameter('con').optional(),
      variant: variantName.optional().describe('A variant of its experiment. (Default: the mail without variants)'),
    }),
  },
  output: z
    .object({
      subject: z.string(),
      previewText: z.string(),
      html: z.string(),
      text: z.string(),
      lastTest: lastTestSchema,
    })
    .meta({ id: 'BroadcastPreview' }),
  errors: [
    ...['broadcast_not_found', 'broadcast_invalid', 'contact_not_found', 'variables_invalid'],
    'insufficient_scope',
  ],
  fixture: async (kit) => ({
    params: { broadcastId: await someDraft(kit, kit.workspaceId) },
    body: {},
    foreign: {
      params: { broadcastId: await someDraft(kit, kit.foreignWorkspaceId) },
      body: { contactId: await someContact(kit, kit.foreignWorkspaceId) },
    },
    errors: {
      broadcast_invalid: async (own) => ({ params: { broadcastId: await emptyDraft(own, own.workspaceId) } }),
      contact_not_found: async () => ({ body: { contactId: missing } }),
      variables_invalid: async (own) => {
        const { params, contactId } = await draftWithoutName(own);
        return { params, body: { contactId } };
      },
      insufficient_scope: 'unreachable here: shown in test/plugins/broadcasts.test.ts',
    },
  }),

  async prepare(ctx, { params: { broadcastId: id }, body: { contactId, variant } }) {
    if (contactId !== undefined && !ctx.holds('contacts:read'))
      throw coreErrors.insufficient_scope({ scopes: ['contacts:read'] });
    const { template, variables, lastTest } = await ctx.read(async (read) => {
      const row = await broadcastRows.find(read.trx, id);
      if (row === undefined) throw errors.broadcast_not_found({ id });
      const mail = await mailFor(read, row, { contactId, variant }, ctx.now);
      return { ...mail, lastTest: await lastTestOf(read, row, mail.template) };
    });
    const { templates } = ctx.services;
    const preview = await templates.preview(ctx, template, variables, ctx.now);
    const marked = (await ctx.services.mailMarking?.mark(ctx, template, preview)) ?? preview;
    const { subject, previewText } = preview;
    return { subject, previewText, html: marked.html, text: marked.text, lastTest };
  },

  handler: async (_ctx, _input, preview) => preview,
});

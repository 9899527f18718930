import { defineOperation, type FixtureKit, idParameter, isoTime, toIsoTime, z } from '../../../core/index.ts';
import type { DecisionCode } from '../../email/index.ts';

const codes = z.enum<readonly DecisionCode[]>([
  'suppressed',
  'no_consent',
  'topic',
  'frequency_cap',
  'quiet_hours',
  'reputation_hold',
  'ramp',
  'no_address',
  'expired',
]);

const html =
  '<mjml><mj-body><mj-section><mj-column><mj-text>Hello {{name}}</mj-text></mj-column></mj-section></mj-body></mjml>';

async function someContact(kit: FixtureKit, workspaceId: string): Promise<string> {
  const { id } = await kit.call('contacts.upsert', { email: `${kit.unique('to')}@example.com` }, workspaceId);
  return String(id);
}

async function someTemplate(kit: FixtureKit, workspaceId: string, isPublished = true): Promise<string> {
  const key = kit.unique('news').toLowerCase();
  await kit.call('templates.create', { key, subject: 'Hello {{name}}', body: html }, workspaceId);
  if (isPublished) await kit.call('templates.publish', { key }, workspaceId);
  return key;
}

const inLayouts = 'unreachable here: shown in test/plugins/templates-layouts.test.ts';

export const explainDeliverability = defineOperation({
  id: 'contacts.deliverability',
  summary: 'Ask whether a contact would get a mail',
  description:
    'Whether mail from the template may be sent to the contact now, and every reason why not. If the mail only has to wait, `after` is the time from which it may be sent. Nothing is sent or counted. The same decision is made when a send is accepted, and again when it is delivered.',
  http: 'GET /v1/contacts/{contactId}/deliverability',
  tool: 'explain_deliverability',
  scopes: ['contacts:read'],
  idempotency: 'read',
  input: {
    params: z.object({ contactId: idParameter('con') }),
    query: z.object({ templateKey: z.string().min(1).max(200).describe("The template's key.") }),
  },
  output: z
    .object({
      allowed: z.boolean().describe('Whether it may be sent now.'),
      after: isoTime
        .optional()
        .describe(
          'If the mail only has to wait: the time from which it may be sent. Absent if that time is not known.',
        ),
      reasons: z.array(z.object({ code: codes, message: z.string().describe('A sentence for people.') })),
    })
    .meta({ id: 'Deliverability' }),
  errors: [
    'contact_not_found',
    'template_not_found',
    'template_archived',
    'template_is_layout',
    'template_not_published',
    'layout_not_found',
    'layout_not_published',
  ],
  fixture: async (kit) => {
    const params = { contactId: await someContact(kit, kit.workspaceId) };
    const query = { templateKey: await someTemplate(kit, kit.workspaceId) };
    return {
      params,
      query,
      foreign: {
        params: { contactId: await someContact(kit, kit.foreignWorkspaceId) },
        query: { templateKey: await someTemplate(kit, kit.foreignWorkspaceId) },
      },
      errors: {
        template_not_found: async () => ({ params, query: { templateKey: 'no-such-template' } }),
        template_archived: async () => {
          const templateKey = await someTemplate(kit, kit.workspaceId);
          await kit.call('templates.archive', { key: templateKey });
          return { params, query: { templateKey } };
        },
        template_is_layout: async () => {
          const key = kit.unique('layout').toLowerCase();
          const body = '<div>{% content %}</div>';
          await kit.call('templates.create', { key, kind: 'layout', mode: 'html', body });
          return { params, query: { templateKey: key } };
        },
        template_not_published: async () => ({
          params,
          query: { templateKey: await someTemplate(kit, kit.workspaceId, false) },
        }),
        layout_not_found: inLayouts,
        layout_not_published: inLayouts,
      },
    };
  },

  async handler(ctx, { params: { contactId }, query: { templateKey } }) {
    const { contacts, mailDecisions } = ctx.services;
    const { email, attributes } = await contacts.find(ctx.trx, { id: contactId });
    const { allowed, after, reasons } = await mailDecisions.ask(ctx, { email, attributes, templateKey });
    return {
      allowed,
      ...(after === undefined ? {} : { after: toIsoTime(after) }),
      reasons: reasons.map((reason) => ({ ...reason })),
    };
  },
});

import { defineOperation, idParameter, z } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { contactRows } from '../store.ts';
import { someContact } from './fixture-rows.ts';

export const exportContact = defineOperation({
  id: 'contacts.export',
  summary: 'Export everything that is stored about a person',
  description:
    'By plugin and kind, the newest 10,000 of each kind: the answer to a person who asks for their data. A live key exports both sides of the workspace, and marks records of the sandbox; a sandbox key exports the sandbox side alone.',
  http: 'GET /v1/contacts/{contactId}/export',
  tool: 'export_contact',
  searchWords: ['gdpr', 'privacy', 'access', 'request', 'personal', 'data', 'everything', 'portability'],
  scopes: ['contacts:export'],
  idempotency: 'read',
  input: { params: z.object({ contactId: idParameter('con') }) },
  output: z
    .record(z.string(), z.record(z.string(), z.array(z.unknown())))
    .meta({ id: 'PersonalDataExport' })
    .describe('Records by plugin and kind.'),
  errors: ['contact_not_found'],
  fixture: async (kit) => ({
    params: { contactId: await someContact(kit, kit.workspaceId) },
    foreign: { contactId: await someContact(kit, kit.foreignWorkspaceId) },
  }),

  async handler(ctx, { params: { contactId } }) {
    if ((await contactRows.find(ctx.trx, contactId)) === undefined)
      throw errors.contact_not_found({ reference: contactId });
    const { personalData } = ctx.ports;
    const personRecords = await personalData.export(
      ctx.trx,
      await personalData.identify(ctx.trx, { personId: contactId }),
    );
    return Object.fromEntries(
      Object.entries(personRecords).map(([plugin, kinds]) => [
        plugin,
        Object.fromEntries(Object.entries(kinds).map(([kind, records]) => [kind, [...records]])),
      ]),
    );
  },
});

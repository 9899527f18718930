import { defineRead, type FixtureKit } from '../../../core/index.ts';
import { errors } from '../errors.ts';
import { presentImport } from '../imports/present.ts';
import { importResource } from '../imports/schema.ts';
import { importRows } from '../imports/tables.ts';

async function someImport(kit: FixtureKit, workspaceId: string): Promise<string> {
  const csv = `email\n${kit.unique('imported')}@example.com\n`;
  const { import_id } = await kit.call('contacts.import', { csv }, workspaceId);
  return String(import_id);
}

export const readImport = defineRead({
  id: 'contacts.import_read',
  summary: 'Read an import of contacts',
  description: 'Its progress, while it runs and for 90 days after, and the faults of rows by line.',
  http: 'GET /v1/contacts/imports/{importId}',
  tool: 'read_contact_import',
  scopes: ['contacts:read'],
  rows: importRows,
  item: importResource,
  notFoundError: ({ id }) => errors.contact_import_not_found({ id }),
  exampleRow: someImport,
  present: presentImport,
});

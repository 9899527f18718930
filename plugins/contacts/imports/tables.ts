// The imports of a workspace, and the files of running imports.
import { column, defineTable, type RowOf, type StoredRow, type TenantRows, tenantRows } from '../../../core/index.ts';
import type { ImportColumn } from '../csv/columns.ts';
import type { TopicsByContact } from './row-topics.ts';
import type { ImportFault } from './schema.ts';

export const contactImports = defineTable(
  'contact_imports',
  {
    id: column.id('imp'),
    status: column.word('running', 'completed', 'failed'),
    /** The meaning of each column of the file, in order. */
    columns: column.json<readonly ImportColumn[]>(),
    ignored_columns: column.json<readonly string[]>(),
    /** The list that the contacts join. */
    list_id: column.id('lst').nullable(),
    consent_note: column.text(500).nullable(),
    /** The rows of the file without the headings. */
    total: column.integer(),
    /** The number of rows that are done. The next transaction begins after them. */
    position: column.integer(),
    created: column.integer(),
    updated: column.integer(),
    unchanged: column.integer(),
    rejected: column.integer(),
    faults: column.json<readonly ImportFault[]>(),
    /** The contacts of the latest rows, until they have joined the list. */
    joining: column.json<readonly string[]>().nullable(),
    /** The topics of the latest rows, until they are stored as preferences. */
    preferring: column.json<TopicsByContact>().nullable(),
    /** Pseudonyms of people who were erased while the import was running: their rows are left out. */
    erased: column.json<readonly string[]>(),
    created_at: column.time(),
    finished_at: column.time().nullable(),
  },
  { sides: true, personal: { columns: { faults: 'mentions' }, searched: true } },
);

/** The sealed text of a file in parts, until its import ends. */
export const contactImportParts = defineTable(
  'contact_import_parts',
  { import_id: column.id('imp'), position: column.integer(), sealed: column.bytes() },
  // A file may have several parts.
  { sides: true, key: 'import_id' },
);

export interface ContactImportRow extends RowOf<typeof contactImports> {}
export interface ContactImportPartRow extends RowOf<typeof contactImportParts> {}
export const importRows: TenantRows<ContactImportRow> = tenantRows(contactImports);
export const importPartRows: TenantRows<ContactImportPartRow> = tenantRows(contactImportParts);

declare module '../../../core/contract/open.ts' {
  interface Tables {
    contact_imports: StoredRow<typeof contactImports>;
    contact_import_parts: StoredRow<typeof contactImportParts>;
  }
}

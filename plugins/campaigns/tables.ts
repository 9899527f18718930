// Planned emails are shared by both sides of a workspace, as the templates that they name.
import {
  column,
  defineTable,
  type RowOf,
  type StoredRow,
  type TableDeclaration,
  type TenantRows,
  tenantRows,
  timestamps,
} from '../../core/index.ts';

export const plannedEmails = defineTable(
  'planned_emails',
  {
    id: column.id('cam'),
    name: column.text(200),
    schedule_at: column.time(),
    timezone: column.key(),
    description: column.text(2_000).nullable(),
    status: column.word<'planned' | 'canceled'>(),
    template_key: column.key().nullable(),
    creation_id: column.id('cre').nullable(),
    ...timestamps,
  },
  {
    // Texts of the company, so an export has none of them. An address that one mentions goes when the person is erased.
    personal: {
      columns: { name: 'mentions', description: 'mentions' },
      searched: true,
      changed: { time: 'updated_at' },
    },
  },
);

export interface PlannedEmailRow extends RowOf<typeof plannedEmails> {}

declare module '../../core/contract/open.ts' {
  interface Tables {
    planned_emails: StoredRow<typeof plannedEmails>;
  }
}

export const tables: Readonly<Record<string, TableDeclaration>> = { planned_emails: plannedEmails };
export const plannedRows: TenantRows<PlannedEmailRow> = tenantRows(plannedEmails);

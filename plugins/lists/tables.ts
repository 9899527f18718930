import {
  column,
  defineTable,
  type RowOf,
  type StoredRow,
  type TableDeclaration,
  type TenantRows,
  tenantRows,
} from '../../core/index.ts';
import type { MemberSource } from './service.ts';

/** The members of lists, clustered by list. Each row belongs to one side of the workspace. */
export const listMembers = defineTable(
  'list_members',
  {
    list_id: column.id('lst'),
    contact_id: column.id('con'),
    status: column.word<'confirmed' | 'unconfirmed'>(),
    source: column.word<MemberSource>(),
    consent_note: column.text(500).nullable(),
    added_at: column.time(),
    confirmed_at: column.time().nullable(),
  },
  {
    sides: true,
    // A contact is a member of several lists, and a list has several members.
    key: 'contact_id',
    // Removing members also changes the counts of the list.
    personal: { columns: { contact_id: 'person', consent_note: 'text' }, rows: 'plugin' },
  },
);

/** The number of members of a list on one side. Every change of members locks this row first. */
export const listCounts = defineTable(
  'list_counts',
  { list_id: column.id('lst'), confirmed: column.integer(), unconfirmed: column.integer() },
  { sides: true, key: 'list_id' },
);

/** Confirmation mails. They limit further mails, and their ids are in the tokens. Kept for 30 days. */
export const listConfirmations = defineTable(
  'list_confirmations',
  {
    id: column.id('lcf'),
    /** Null if a form of another plugin asked. */
    list_id: column.id('lst').nullable(),
    email: column.address(),
    /** The normalised address without its tag. */
    mailbox: column.address(),
    /** The address as the person wrote it. Mail is sent to it. */
    address_as_given: column.text(),
    /**
     * `form`: there is no contact yet, and confirming creates it. `member`: an unconfirmed membership. `plugin`: a form of another
     * plugin, which is called when the address confirms.
     */
    requested_by: column.word<'form' | 'member' | 'plugin'>(),
    /** The id of that plugin, the form whose mails are counted together, and the value that is passed to the plugin. */
    asker: column.key().nullable(),
    form: column.key().nullable(),
    subject: column.id().nullable(),
    /** The name of the thing that the person signed up for, and the language of the mail (a BCP 47 tag). */
    title: column.text(),
    language: column.word<string>().nullable(),
    /** The consent text and the question of the form. Stored with the membership. */
    consent_note: column.text(500).nullable(),
    /** Other fields of the form. */
    fields: column.json<Readonly<Record<string, string>>>(),
    created_at: column.time(),
    confirmed_at: column.time().nullable(),
  },
  {
    sides: true,
    personal: {
      columns: {
        email: 'address',
        // An erasure also searches this column, so that erasing an address also erases requests of its tagged forms
        // (`ada+news@…`).
        mailbox: 'address',
        address_as_given: 'raw_address',
        consent_note: 'text',
        fields: 'text',
      },
      rows: 'remove',
    },
  },
);

/** Subscribe forms whose honeypot field was filled, for people to review. Nobody gets a confirmation mail for them. */
export const listTrappedForms = defineTable(
  'list_trapped_forms',
  {
    id: column.id('ltf'),
    list_id: column.id('lst'),
    /** Null if the typed text is not an address. */
    email: column.address().nullable(),
    /** The fields as typed. */
    fields: column.json<Readonly<Record<string, string>>>(),
    created_at: column.time(),
  },
  { sides: true, personal: { columns: { email: 'address', fields: 'text' }, rows: 'remove' } },
);

export interface MemberRow extends RowOf<typeof listMembers> {}
export interface CountsRow extends RowOf<typeof listCounts> {}
export interface ConfirmationRow extends RowOf<typeof listConfirmations> {}
export interface TrappedFormRow extends RowOf<typeof listTrappedForms> {}

export const memberRows: TenantRows<MemberRow> = tenantRows(listMembers, { time: 'added_at' });
export const countRows: TenantRows<CountsRow> = tenantRows(listCounts);
export const confirmationRows: TenantRows<ConfirmationRow> = tenantRows(listConfirmations);
export const trappedFormRows: TenantRows<TrappedFormRow> = tenantRows(listTrappedForms);

declare module '../../core/contract/open.ts' {
  interface Tables {
    list_members: StoredRow<typeof listMembers>;
    list_counts: StoredRow<typeof listCounts>;
    list_confirmations: StoredRow<typeof listConfirmations>;
    list_trapped_forms: StoredRow<typeof listTrappedForms>;
  }
}

export const tables: Readonly<Record<string, TableDeclaration>> = {
  list_members: listMembers,
  list_counts: listCounts,
  list_confirmations: listConfirmations,
  list_trapped_forms: listTrappedForms,
};

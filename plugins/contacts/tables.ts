import type { TableDeclaration } from '../../core/index.ts';

export interface ContactRow {
  id: string;
  workspace_id: string;
  /** The caller's own id of the person. Unique in a workspace. */
  external_id: string | null;
  /** The normalised address. Unique in a workspace. */
  email: string | null;
  /** The address as it was said: mail goes there. */
  address_as_given: string | null;
  attributes: string;
  created_at: number;
  updated_at: number;
}

/** A custom event on somebody's timeline; clustered by contact and time. */
export interface ContactEventRow {
  /** `evt_…`, that of the event. */
  id: string;
  workspace_id: string;
  contact_id: string;
  type: string;
  ts: number;
  synthetic: number;
  metadata: string;
}

/** An address that a contact had, and has no more. */
export interface FormerAddressRow {
  workspace_id: string;
  /** Normalised. */
  email: string;
  /** Who had it last. */
  contact_id: string;
}

/** How far the program's source of contacts has been read. */
export interface ContactSourceRow {
  workspace_id: string;
  source_cursor: string | null;
  updated_at: number;
}

declare module '../../core/contract/open.ts' {
  interface Tables {
    contacts: ContactRow;
    contact_events: ContactEventRow;
    contact_former_addresses: FormerAddressRow;
    contact_sources: ContactSourceRow;
  }
}

export const tables: Readonly<Record<string, TableDeclaration>> = {
  contacts: {
    tenant: true,
    personal: { columns: { email: 'address', address_as_given: 'spelling', attributes: 'words' }, rows: 'plugin' },
  },
  contact_events: { tenant: true, personal: { columns: { contact_id: 'person', metadata: 'words' }, rows: 'plugin' } },
  contact_former_addresses: {
    tenant: true,
    personal: { columns: { email: 'address', contact_id: 'person' }, rows: 'remove' },
  },
};

/** Of programs with a source that tells of changes. */
export const sourceTables: Readonly<Record<string, TableDeclaration>> = { contact_sources: { tenant: true } };

// Members and trapped forms as the API shows them.
import { toIsoTime, toIsoTimeOrNull } from '../../core/index.ts';
import type { ContactNames } from '../contacts/index.ts';
import type { MemberRow, TrappedFormRow } from './tables.ts';

/** A member. `contact` is undefined if the contact is being erased. */
export const presentMember = (row: MemberRow, contact: ContactNames | undefined) => ({
  contactId: row.contact_id,
  email: contact?.email ?? null,
  external_id: contact?.external_id ?? null,
  status: row.status,
  source: row.source,
  addedAt: toIsoTime(row.added_at),
  confirmedAt: toIsoTimeOrNull(row.confirmed_at),
});

/** A form that the trap dropped. */
export const presentTrapped = ({ id, email, fields, created_at: at }: TrappedFormRow) => ({
  id,
  email,
  fields: { ...fields },
  at: toIsoTime(at),
});

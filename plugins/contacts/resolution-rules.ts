// The rules by which a reference resolves to a contact, and how the named contacts change. Pure, without a database.
// Called by resolve-contact.ts for one reference and by upsert-contacts.ts for many.
import { coreErrors, normaliseAddress } from '../../core/index.ts';
import { findRawFault } from '../../core/unstable.ts';
import { errors } from './errors.ts';
import type { Contact } from './schema.ts';
import type { ContactRow } from './tables.ts';

type Attributes = Contact['attributes'];

/** The identifiers of one contact in a call. */
export interface ContactReference {
  readonly external_id?: string | undefined;
  /** The address as the caller wrote it. */
  readonly email?: string | undefined;
  readonly id?: string | undefined;
}

/** New values of attributes; null removes an attribute. */
export type AttributeChanges = Readonly<Record<string, unknown>>;

/** The contacts to which the names of a reference belong now. */
export interface NamedContacts {
  readonly byExternalId: ContactRow | undefined;
  readonly byEmail: ContactRow | undefined;
  readonly byId: ContactRow | undefined;
}

/**
 * The contact to which a reference resolves. If `target` is undefined, a new contact is needed. `previousOwner` has the address of the reference
 * now, and gives it up.
 */
export interface ContactMatch {
  readonly target: ContactRow | undefined;
  readonly previousOwner: ContactRow | undefined;
}

function targetOf({ external_id, email }: ContactReference, { byExternalId, byEmail, byId }: NamedContacts) {
  if (external_id === undefined) return byEmail ?? byId;
  if (byExternalId !== undefined) return byExternalId;
  // A contact without an external_id gets the new one. A contact with another external_id never does.
  const candidate = email === undefined ? byId : (byEmail ?? byId);
  return candidate?.external_id === null ? candidate : undefined;
}

/** Applies the precedence external_id, email, id. @throws contact_required, contact_not_found */
export function matchContact(reference: ContactReference, known: NamedContacts): ContactMatch {
  const { external_id, email, id } = reference;
  if (external_id === undefined && email === undefined && id === undefined) throw errors.contact_required();
  const target = targetOf(reference, known);
  if (target === undefined && external_id === undefined && email === undefined)
    throw errors.contact_not_found({ reference: id ?? '' });
  const { byEmail } = known;
  return { target, previousOwner: byEmail !== undefined && byEmail.id !== target?.id ? byEmail : undefined };
}

/** Whether a contact loses its address, because the address is replaced or moves to another contact. */
export const losesAddress = ({ email }: ContactReference, { target, previousOwner }: ContactMatch): boolean =>
  previousOwner !== undefined ||
  (email !== undefined && target !== undefined && target.email !== null && target.email !== normaliseAddress(email));

const maxAttributes = 200;
const maxBytes = 16_384;

/** @throws validation_failed if the result has too many attributes or is too large */
export function mergeAttributes(before: Attributes, changes: AttributeChanges | undefined): Attributes {
  if (changes === undefined) return before;
  // Databases cannot search JSON that contains such texts. The schema refuses them in calls, but nothing has checked the values of a source.
  const raw = findRawFault(changes);
  if (raw !== undefined)
    throw coreErrors.validation_failed({ summary: `attributes: ${raw.message}` }, { details: [raw] });
  const merged = Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null);
  const after = Object.fromEntries(merged) as Attributes;
  if (merged.length <= maxAttributes && Buffer.byteLength(JSON.stringify(after)) <= maxBytes) return after;
  const message = `A contact has at most ${maxAttributes} attributes and ${maxBytes} bytes of them as JSON.`;
  throw coreErrors.validation_failed(
    { summary: `attributes: ${message}` },
    { details: [{ path: 'attributes', code: 'too_large', message }] },
  );
}

/** A change to a contact. */
export interface ContactPatch {
  readonly reference: ContactReference;
  readonly attributes?: AttributeChanges | undefined;
  /** Whether another spelling of the same address is a change. (Default: false) */
  readonly respell?: boolean;
}

/** The contact after a patch. */
export function applyPatch(row: ContactRow, { reference, attributes, respell = false }: ContactPatch): ContactRow {
  const { external_id = row.external_id, email: givenEmail } = reference;
  const email = givenEmail === undefined ? row.email : normaliseAddress(givenEmail);
  const spelt = givenEmail !== undefined && (respell || email !== row.email);
  return {
    ...row,
    external_id,
    email,
    address_as_given: spelt ? givenEmail : row.address_as_given,
    attributes: mergeAttributes(row.attributes, attributes),
  };
}

/** Whether the API shows two states of one contact differently. */
export const hasVisibleChange = (one: ContactRow, other: ContactRow): boolean =>
  one.external_id !== other.external_id ||
  one.email !== other.email ||
  JSON.stringify(one.attributes) !== JSON.stringify(other.attributes);

/** Whether the row must be written. */
export const isChanged = (one: ContactRow, other: ContactRow): boolean =>
  hasVisibleChange(one, other) || one.address_as_given !== other.address_as_given;

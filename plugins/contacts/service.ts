// `ctx.services.contacts`, for other plugins: resolves references to contacts and adds events to their timelines.
import { type Handle, normaliseAddress, type TransactionContext, type WorkspaceHandle } from '../../core/index.ts';
import { errors } from './errors.ts';
import { notesOf } from './notes.ts';
import { phoneOf } from './phone.ts';
import { suppressedAmong } from './present.ts';
import { type ContactReference, mergeAttributes } from './resolution.ts';
import { announce, type ResolveRights, resolveContact } from './resolve.ts';
import type { Contact } from './schema.ts';
import {
  type ContactNames,
  type ContactPlace,
  changesOf,
  contactRows,
  eventRows,
  locateContact,
  namesAmong,
} from './store.ts';
import type { ContactRow } from './tables.ts';

export type { ContactReference } from './resolution.ts';
export type { ContactNames, ContactPlace } from './store.ts';

/** The contact that a reference resolved to. */
export interface ResolvedContact {
  readonly id: string;
  readonly external_id: string | null;
  /** The normalised address. */
  readonly email: string | null;
  /** The address as it was given. Mail is sent to it. */
  readonly addressAsGiven: string | null;
  readonly created: boolean;
  /** The contact that gave its address to this one. The audit entry of the call must name both. */
  readonly movedFrom: string | undefined;
}

/** A contact with its attributes. */
export interface KnownContact extends ContactNames {
  readonly attributes: Contact['attributes'];
}

/** A custom event on a timeline. */
export interface TimelineEvent {
  /** `evt_…`, the id of the event. */
  readonly id: string;
  readonly type: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** `ctx.services.contacts`. */
export interface ContactsService {
  /**
   * Resolves a reference, with the precedence external_id, email, id. If the names belong to two contacts, the contact with the
   * external_id gets the address. Changes are stored in this transaction and emitted as contact.created or contact.updated.
   * @throws contact_required when the reference has no name; contact_not_found; insufficient_scope if a needed rename is not allowed
   */
  resolve(effects: TransactionContext, reference: ContactReference, rights: ResolveRights): Promise<ResolvedContact>;
  /** Which of these contacts exist on the handle's side, by id. Suitable for thousands of ids in one call. */
  among(handle: WorkspaceHandle, ids: readonly string[]): Promise<ReadonlyMap<string, ContactNames>>;
  /**
   * Finds a contact by a reference, with the precedence of `resolve`. Does not change anything.
   * @param advice a sentence for contact_not_found, with a leading space (Default: none)
   * @throws contact_required when the reference has no name; contact_not_found
   */
  find(handle: WorkspaceHandle, reference: ContactReference, advice?: string): Promise<KnownContact>;
  /** A contact by its address, in any spelling. */
  byEmail(handle: WorkspaceHandle, email: string): Promise<KnownContact | undefined>;
  /** The workspace, side and address of a contact, for requests that only contain its id. */
  locate(handle: Handle, id: string): Promise<ContactPlace | undefined>;
  /** Like `among`, but with attributes. Suitable for at most some hundred ids. */
  read(handle: WorkspaceHandle, ids: readonly string[]): Promise<readonly KnownContact[]>;
  /** Adds attributes that the contact does not have. Existing attributes stay. @throws validation_failed if there are too many */
  addAttributes(effects: TransactionContext, contactId: string, attributes: Contact['attributes']): Promise<void>;
  /** Metadata for the audit entry of the call: pass it to `ctx.note`. */
  notesOf(resolved: ResolvedContact): Readonly<Record<string, string | boolean>>;
  /** The phone number of a contact: its attribute `phone`, if it is E.164. */
  phoneOf(handle: WorkspaceHandle, contactId: string): Promise<string | undefined>;
  /** Adds an event to the contact's timeline, in the transaction and with the transaction's time. */
  addToTimeline(effects: TransactionContext, contactId: string, event: TimelineEvent): void;
}

const knownOf = ({
  id,
  external_id,
  email,
  address_as_given: addressAsGiven,
  attributes,
}: ContactRow): KnownContact => ({
  id,
  external_id,
  email,
  addressAsGiven,
  attributes,
});

/** Creates the service. It has no state. */
export const createContactsService = (): ContactsService => ({
  among: namesAmong,
  async find(handle, { external_id, email, id }, advice = '') {
    const by = external_id !== undefined ? 'external_id' : email !== undefined ? 'email' : 'id';
    const name = external_id ?? email ?? id;
    if (name === undefined) throw errors.contact_required();
    const byEmail = email === undefined ? { id: name } : { email: normaliseAddress(email) };
    const row = await contactRows.findBy(handle, external_id === undefined ? byEmail : { external_id });
    if (row === undefined) throw errors.contact_not_found({ reference: name, by, advice });
    return knownOf(row);
  },
  async byEmail(handle, email) {
    const row = await contactRows.findBy(handle, { email: normaliseAddress(email) });
    return row === undefined ? undefined : knownOf(row);
  },
  locate: locateContact,
  read: async (handle, ids) => (await contactRows.findIn(handle, 'id', ids)).map(knownOf),
  async addAttributes(effects, contactId, attributes) {
    const row = await contactRows.lock(effects.trx, contactId);
    if (row === undefined) return;
    const missing = Object.entries(attributes).filter(([name]) => !Object.hasOwn(row.attributes, name));
    if (missing.length === 0) return;
    const merged = mergeAttributes(row.attributes, Object.fromEntries(missing));
    const next = { ...row, attributes: merged, updated_at: effects.now };
    await contactRows.update(effects.trx, contactId, changesOf(next));
    announce(effects, 'contact.updated', next, await suppressedAmong(effects, [next], effects.now));
  },
  async resolve(effects, reference, rights) {
    const { row, created, movedFrom } = await resolveContact(effects, { reference }, rights);
    const { id, external_id, email, address_as_given: addressAsGiven } = row;
    return { id, external_id, email, addressAsGiven, created, movedFrom };
  },
  async phoneOf(handle, contactId) {
    const row = await contactRows.find(handle, contactId);
    return row === undefined ? undefined : phoneOf(row);
  },
  notesOf: (resolved) => notesOf(resolved.id, resolved),
  addToTimeline(effects, contactId, { id, type, metadata }) {
    eventRows.deferInsert(effects.trx, { id, contact_id: contactId, type, ts: effects.now, metadata });
  },
});

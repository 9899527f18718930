// `ctx.services.contacts`, for other plugins: resolves references to contacts and adds events to their timelines.
import { type Handle, normaliseAddress, type TransactionContext, type WorkspaceHandle } from '../../core/index.ts';
import { notesOf } from './audit-notes.ts';
import { errors } from './errors.ts';
import { type EventType, eventTypesOf } from './event-types.ts';
import { phoneOf } from './phone.ts';
import { suppressedAmong } from './present.ts';
import { type ContactReference, mergeAttributes } from './resolution-rules.ts';
import { announce, type ResolveRights, resolveContact } from './resolve-contact.ts';
import type { Contact } from './schema.ts';
import {
  addEvent,
  type ContactLocation,
  type ContactNames,
  changesOf,
  contactRows,
  type EventRange,
  listNewestEvents,
  listOldestEvents,
  locateContact,
  lockExisting,
  namesAmong,
  readActivity,
} from './store.ts';
import type { ContactActivityRow, ContactEventRow, ContactRow } from './tables.ts';

export type { ContactReference } from './resolution-rules.ts';
export type { ContactLocation, ContactNames } from './store.ts';

/** The contact that a reference resolved to. */
export interface ResolvedContact {
  readonly id: string;
  readonly external_id: string | null;
  /** The normalised address. */
  readonly email: string | null;
  /** The address as the caller wrote it. Mail is sent to it. */
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
  resolve(ctx: TransactionContext, reference: ContactReference, rights: ResolveRights): Promise<ResolvedContact>;
  /** The contacts among these ids that exist on the handle's side, by id. Suitable for thousands of ids in one call. */
  among(handle: WorkspaceHandle, ids: readonly string[]): Promise<ReadonlyMap<string, ContactNames>>;
  /**
   * Finds a contact by a reference, with the precedence of `resolve`. Does not change anything.
   * @param advice a sentence for contact_not_found, with a leading space (Default: none)
   * @throws contact_required when the reference has no name; contact_not_found
   */
  find(handle: WorkspaceHandle, reference: ContactReference, advice?: string): Promise<KnownContact>;
  /** A contact by its address, in any spelling. */
  byEmail(handle: WorkspaceHandle, email: string): Promise<KnownContact | undefined>;
  /** Contacts by their addresses, in any spelling, by normalised address. One look-up for some hundred addresses. */
  byEmails(handle: WorkspaceHandle, emails: readonly string[]): Promise<ReadonlyMap<string, KnownContact>>;
  /**
   * The addresses that a call with this reference may write to: the address in the reference, and the addresses of contacts to which its other
   * names belong.
   */
  addressesOf(handle: WorkspaceHandle, reference: ContactReference): Promise<readonly string[]>;
  /** The workspace, side and address of a contact, for requests that only contain its id. */
  locate(handle: Handle, id: string): Promise<ContactLocation | undefined>;
  /** Like `among`, but with attributes. Suitable for at most some hundred ids. */
  read(handle: WorkspaceHandle, ids: readonly string[]): Promise<readonly KnownContact[]>;
  /**
   * Locks contacts until the transaction ends, in the order of their ids. An event locks its contact with `update`. A transaction that starts a
   * run locks the contact with `share`. So the later of two such transactions sees the changes of the earlier one. Lock contacts before their
   * runs.
   */
  lock(handle: WorkspaceHandle, ids: readonly string[], lock: 'share' | 'update'): Promise<void>;
  /** Adds attributes that the contact does not have. Existing attributes stay. @throws validation_failed if there are too many */
  addAttributes(ctx: TransactionContext, contactId: string, attributes: Contact['attributes']): Promise<void>;
  /** Metadata for the audit entry of the call: pass it to `ctx.note`. */
  notesOf(resolved: ResolvedContact): Readonly<Record<string, string | boolean>>;
  /** The phone number of a contact: its attribute `phone`, if it is E.164. */
  phoneOf(handle: WorkspaceHandle, contactId: string): Promise<string | undefined>;
  /** Reads custom events of a contact, oldest first, page by page, until the caller stops. */
  eventsFrom(handle: WorkspaceHandle, range: EventRange): AsyncIterable<ContactEventRow>;
  /** Reads custom events of a contact, newest first, page by page, until the caller stops. */
  newestEvents(handle: WorkspaceHandle, range: EventRange): AsyncIterable<ContactEventRow>;
  /**
   * The number of a contact's events of a type, and the times of the first and the last event. Undefined if the contact never had such an event.
   * These figures stay after the events are deleted.
   */
  activity(handle: WorkspaceHandle, contactId: string, type: string): Promise<ContactActivityRow | undefined>;
  /** The types of custom events that contacts had, in alphabetical order, and whether there are more types than returned. */
  eventTypes(handle: WorkspaceHandle): Promise<{ types: EventType[]; areMore: boolean }>;
  /** Adds an event to the contact's timeline, in the transaction and with the transaction's time. */
  addToTimeline(ctx: TransactionContext, contactId: string, event: TimelineEvent): void;
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
  async byEmails(handle, emails) {
    const rows = await contactRows.findIn(handle, 'email', emails.map(normaliseAddress));
    return new Map(rows.flatMap((row) => (row.email === null ? [] : [[row.email, knownOf(row)] as const])));
  },
  async addressesOf(handle, { external_id, email, id }) {
    const contacts = await Promise.all([
      external_id === undefined ? undefined : contactRows.findBy(handle, { external_id }),
      id === undefined ? undefined : contactRows.findBy(handle, { id }),
    ]);
    const knownAddresses = contacts.flatMap((row) => row?.email ?? []);
    return email === undefined ? knownAddresses : [email, ...knownAddresses];
  },
  locate: locateContact,
  read: async (handle, ids) => (await contactRows.findIn(handle, 'id', ids)).map(knownOf),
  lock: lockExisting,
  async addAttributes(ctx, contactId, attributes) {
    const row = await contactRows.lock(ctx.trx, contactId);
    if (row === undefined) return;
    const missing = Object.entries(attributes).filter(([name]) => !Object.hasOwn(row.attributes, name));
    if (missing.length === 0) return;
    const merged = mergeAttributes(row.attributes, Object.fromEntries(missing));
    const next = { ...row, attributes: merged, updated_at: ctx.now };
    await contactRows.update(ctx.trx, contactId, changesOf(ctx.trx, next));
    announce(ctx, 'contact.updated', next, await suppressedAmong(ctx, [next], ctx.now));
  },
  async resolve(ctx, reference, rights) {
    const { row, created, movedFrom } = await resolveContact(ctx, { reference }, rights);
    const { id, external_id, email, address_as_given: addressAsGiven } = row;
    return { id, external_id, email, addressAsGiven, created, movedFrom };
  },
  async phoneOf(handle, contactId) {
    const row = await contactRows.find(handle, contactId);
    return row === undefined ? undefined : phoneOf(row);
  },
  notesOf: (resolved) => notesOf(resolved.id, resolved),
  eventsFrom: listOldestEvents,
  newestEvents: listNewestEvents,
  activity: readActivity,
  eventTypes: eventTypesOf,
  addToTimeline(ctx, contactId, { id, type, metadata }) {
    addEvent(ctx.trx, { id, contact_id: contactId, type, ts: ctx.now, metadata });
  },
});

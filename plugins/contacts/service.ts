// `ctx.services.contacts`, for other plugins: resolves references to contacts and adds events to their timelines.
import type { Effects, ServiceSurface } from '../../core/index.ts';
import { notesOf } from './notes.ts';
import type { ContactReference } from './resolution.ts';
import { resolveContact } from './resolve.ts';
import { eventRows } from './store.ts';

export type { ContactReference } from './resolution.ts';

/** The contact that a reference resolved to. */
export interface ResolvedContact {
  readonly id: string;
  readonly external_id: string | null;
  /** The normalised address. */
  readonly email: string | null;
  /** The address as it was given: mail is sent to it. */
  readonly addressAsGiven: string | null;
  readonly created: boolean;
  /** The contact that gave its address to this one; the audit entry of the call has to name both. */
  readonly movedFrom: string | undefined;
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
   * Resolves a reference, with the precedence external_id, email, id. When the names belong to two contacts, the one with the
   * external_id gets the address. Changes are stored in this transaction and emitted as contact.created or contact.updated.
   * With `create` false, an unknown reference is refused.
   * @throws contact_required when the reference has no name; contact_not_found
   */
  resolve(
    effects: Effects,
    reference: ContactReference,
    options: { readonly create: boolean },
  ): Promise<ResolvedContact>;
  /** Metadata for the audit entry of the call: pass it to `ctx.note`. */
  notesOf(resolved: ResolvedContact): Readonly<Record<string, string | boolean>>;
  /** Adds an event to the contact's timeline, in the transaction and with its time. */
  addToTimeline(effects: Effects, contactId: string, event: TimelineEvent): void;
}

/** Makes the service, which has no state. */
export const createContactsService = (surface: ServiceSurface): ContactsService => ({
  async resolve(effects, reference, { create }) {
    const { row, created, movedFrom } = await resolveContact(surface, effects, { reference }, create);
    const { id, external_id, email, address_as_given: addressAsGiven } = row;
    return { id, external_id, email, addressAsGiven, created, movedFrom };
  },
  notesOf: (resolved) => notesOf(resolved.id, resolved),
  addToTimeline(effects, contactId, { id, type, metadata }) {
    eventRows.deferInsert(effects.trx, { id, contact_id: contactId, type, ts: effects.now, metadata });
  },
});

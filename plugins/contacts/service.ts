// What other plugins ask of contacts: whom a reference means, and a line on somebody's timeline. `ctx.services.contacts`.
import type { Effects, ServiceSurface } from '../../core/index.ts';
import { notesOf } from './notes.ts';
import type { ContactReference } from './resolution.ts';
import { resolveContact } from './resolve.ts';
import { eventRows } from './store.ts';

export type { ContactReference } from './resolution.ts';

/** The contact that a reference means. */
export interface ResolvedContact {
  readonly id: string;
  readonly external_id: string | null;
  /** The normalised address. */
  readonly email: string | null;
  /** The address as it was said: mail goes there. */
  readonly addressAsGiven: string | null;
  readonly created: boolean;
  /** The contact that gave its address to this one; the audit entry of the call has to name both. */
  readonly movedFrom: string | undefined;
}

/** A custom event, as a timeline keeps it. */
export interface TimelineEvent {
  /** `evt_…`, that of the event. */
  readonly id: string;
  readonly type: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** `ctx.services.contacts`. */
export interface ContactsService {
  /**
   * Whom a reference means: external_id before email before id. Names that belong to two contacts: external_id wins and the
   * address moves to it. What is new is stored in this transaction and told as contact.created or contact.updated.
   * `create` false: somebody unknown is refused instead of made.
   * @throws contact_required where nothing names anybody; contact_not_found
   */
  resolve(
    effects: Effects,
    reference: ContactReference,
    options: { readonly create: boolean },
  ): Promise<ResolvedContact>;
  /** What the audit entry of the call names beside its target: for `ctx.note`. */
  notesOf(resolved: ResolvedContact): Readonly<Record<string, string | boolean>>;
  /** Puts an event of this moment on the contact's timeline, with the transaction. */
  addToTimeline(effects: Effects, contactId: string, event: TimelineEvent): void;
}

/** The service; it keeps nothing. */
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

// Resolves one reference to one contact inside the caller's transaction: finds the contact, creates it or merges two.
import { coreErrors, normaliseAddress, type TransactionContext } from '../../core/index.ts';
import { errors } from './errors.ts';
import { presentContact, suppressedAmong } from './present.ts';
import {
  applyPatch,
  type ContactMatch,
  type ContactPatch,
  hasVisibleChange,
  isChanged,
  losesAddress,
  matchContact,
  type NamedContacts,
} from './resolution-rules.ts';
import type { Contact } from './schema.ts';
import { withSearchColumns } from './search-columns.ts';
import { fillJobKind } from './source.ts';
import { changesOf, contactRows, rememberAddress } from './store.ts';
import type { ContactRow } from './tables.ts';

/** The contact that a reference resolved to. */
export interface ContactResolution {
  readonly row: ContactRow;
  readonly created: boolean;
  /** The contact that gave its address to this one. */
  readonly movedFrom: string | undefined;
  /** The contact as the API shows it; undefined if nothing changed. */
  readonly presented: Contact | undefined;
}

/** Resolving is repeated if another transaction gave a name to another contact between the read and the write. */
const maxAttempts = 5;

async function findKnown(
  { trx }: TransactionContext,
  { reference }: ContactPatch,
  isRepeated: boolean,
): Promise<NamedContacts> {
  const { external_id, email, id } = reference;
  // After two failed attempts, a plain read might see the same outdated rows again. A locking read sees the committed rows.
  const lock = isRepeated ? 'share' : undefined;
  // In parallel, so that a remote database needs only one round trip.
  const [byExternalId, byEmail, byId] = await Promise.all([
    external_id === undefined ? undefined : contactRows.findBy(trx, { external_id }, lock),
    email === undefined ? undefined : contactRows.findBy(trx, { email: normaliseAddress(email) }, lock),
    id === undefined ? undefined : contactRows.find(trx, id),
  ]);
  return { byExternalId, byEmail, byId };
}

const hasSameNames = (one: ContactRow, other: ContactRow | undefined): boolean =>
  one.external_id === other?.external_id && one.email === other.email;

/** Locks both contacts, always in the order of their ids to avoid deadlocks. Undefined if their names have changed. */
async function lock(
  { trx }: TransactionContext,
  { target, previousOwner }: ContactMatch,
): Promise<ContactMatch | undefined> {
  const rowsToLock = [target, previousOwner].filter((row) => row !== undefined).sort((a, b) => (a.id < b.id ? -1 : 1));
  const lockedById = new Map<string, ContactRow>();
  for (const row of rowsToLock) {
    const now = await contactRows.lock(trx, row.id);
    if (now === undefined || !hasSameNames(row, now)) return undefined;
    lockedById.set(row.id, now);
  }
  return {
    target: target && lockedById.get(target.id),
    previousOwner: previousOwner && lockedById.get(previousOwner.id),
  };
}

/** The rows that earlier attempts in this transaction wrote. */
interface Progress {
  previousOwner: ContactRow | undefined;
}

async function releaseAddress(
  { trx, now }: TransactionContext,
  previousOwner: ContactRow | undefined,
  progress: Progress,
): Promise<void> {
  if (previousOwner === undefined) return;
  progress.previousOwner = { ...previousOwner, email: null, address_as_given: null, updated_at: now };
  await contactRows.update(trx, previousOwner.id, changesOf(trx, progress.previousOwner));
}

interface WrittenContact {
  readonly row: ContactRow;
  readonly outcome: 'created' | 'updated' | 'unchanged';
}

/** Writes the contacts. Undefined if another transaction changed them first: the caller then resolves again. */
async function write(
  ctx: TransactionContext,
  patch: ContactPatch,
  match: ContactMatch,
  progress: Progress,
): Promise<WrittenContact | undefined> {
  const { trx, now } = ctx;
  const { target } = match;
  if (target !== undefined && !isChanged(target, applyPatch(target, patch)))
    return { row: target, outcome: 'unchanged' };
  const locked = await lock(ctx, match);
  if (locked === undefined) return undefined;
  await releaseAddress(ctx, locked.previousOwner, progress);
  if (locked.target === undefined) {
    const row = newContact(ctx, patch);
    return (await contactRows.insertUnlessTaken(trx, withSearchColumns(trx, row)))
      ? { row, outcome: 'created' }
      : undefined;
  }
  const next = { ...applyPatch(locked.target, patch), updated_at: now };
  await contactRows.update(trx, next.id, changesOf(trx, next));
  await rememberAddress(trx, locked.target, next);
  return { row: next, outcome: hasVisibleChange(locked.target, next) ? 'updated' : 'unchanged' };
}

/** Builds a new contact with the values of the patch. */
export function newContact({ now, newId }: Pick<TransactionContext, 'now' | 'newId'>, patch: ContactPatch): ContactRow {
  const blank: ContactRow = {
    id: newId('con'),
    external_id: null,
    email: null,
    address_as_given: null,
    attributes: {},
    attribute_times: null,
    email_pseudonym: null,
    created_at: now,
    updated_at: now,
  };
  return applyPatch(blank, patch);
}

/** Emits the event of a created or changed contact. Returns the contact as the API shows it. */
export function announce(
  ctx: TransactionContext,
  type: 'contact.created' | 'contact.updated',
  row: ContactRow,
  suppressed: ReadonlySet<string>,
): Contact {
  const shown = presentContact(row, suppressed);
  ctx.emit(type, shown, { subject: row.id });
  return shown;
}

/**
 * Enqueues a job that reads a contact with a new external id from the program's source. The call does not wait for the job. The
 * source fills the live side. On the plan `sandbox`, it fills the sandbox side.
 */
function askSource(ctx: TransactionContext, { id, external_id }: ContactRow): void {
  const { sandbox, workspace } = ctx;
  const isFilled = sandbox === (workspace.plan.name === 'sandbox');
  if (ctx.services.contactSource !== undefined && external_id !== null && isFilled)
    ctx.enqueue({ kind: fillJobKind, payload: { contactId: id }, subject: id });
}

/** The rights of a call over the contacts that it names. */
export interface ResolveRights {
  /** Whether to create a contact for an unknown reference. Otherwise the reference is refused. */
  readonly create: boolean;
  /** Whether an existing contact may lose a name: its address may change, or move to another contact. (Default: true) */
  readonly rename?: boolean;
}

/**
 * Finds the contact of a reference, or creates it.
 * @throws contact_required, contact_not_found, state_conflict; insufficient_scope if a contact would lose a name and `rename` forbids that
 */
export async function resolveContact(
  ctx: TransactionContext,
  patch: ContactPatch,
  { create, rename = true }: ResolveRights,
): Promise<ContactResolution> {
  const progress: Progress = { previousOwner: undefined };
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const decision = matchContact(patch.reference, await findKnown(ctx, patch, attempt > 1));
    if (decision.target === undefined && !create) {
      const { external_id: externalId, email = '' } = patch.reference;
      throw errors.contact_not_found(
        externalId === undefined ? { reference: email, by: 'email' } : { reference: externalId, by: 'external_id' },
      );
    }
    if (!rename && losesAddress(patch.reference, decision))
      throw coreErrors.insufficient_scope({
        scopes: ['contacts:write'],
        instead: 'leave the email out: the contact has another one, or the email is of another contact',
      });
    const written = await write(ctx, patch, decision, progress);
    if (written === undefined) continue;
    const { row, outcome } = written;
    const { previousOwner } = progress;
    const result = { row, created: outcome === 'created', movedFrom: previousOwner?.id };
    if (outcome !== 'unchanged' && decision.target?.external_id !== row.external_id) askSource(ctx, row);
    if (outcome === 'unchanged' && previousOwner === undefined) return { ...result, presented: undefined };
    const suppressed = await suppressedAmong(ctx, [row], ctx.now);
    if (previousOwner !== undefined) announce(ctx, 'contact.updated', previousOwner, suppressed);
    if (outcome === 'unchanged') return { ...result, presented: presentContact(row, suppressed) };
    return { ...result, presented: announce(ctx, `contact.${outcome}`, row, suppressed) };
  }
  throw coreErrors.state_conflict({ reason: 'Other requests are changing this contact at this moment. Try again.' });
}

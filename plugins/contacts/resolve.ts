// One reference to one contact, inside the transaction of whoever means it: found, made, taken over or merged.
import type { Effects, ServiceSurface } from '../../core/index.ts';
import { coreErrors, normaliseAddress } from '../../core/index.ts';
import { errors } from './errors.ts';
import { presentContact, suppressedAmong } from './present.ts';
import type { ContactPatch, Decision, Known } from './resolution.ts';
import { applyPatch, decide, isChanged, isShownDifferently } from './resolution.ts';
import type { Contact } from './schema.ts';
import { fillJobKind } from './source.ts';
import { changesOf, contactRows, rememberAddress } from './store.ts';
import type { ContactRow } from './tables.ts';

/** What a reference came to. */
export interface Resolved {
  readonly row: ContactRow;
  readonly created: boolean;
  /** The contact that gave its address to this one. */
  readonly movedFrom: string | undefined;
  /** As it is shown; undefined where nothing changed and so nobody had to be shown anything. */
  readonly shown: Contact | undefined;
}

/** Another transaction may take a name between our read and our write. Then we try again. */
const maxAttempts = 5;

async function findKnown({ trx }: Effects, { reference }: ContactPatch, isRepeated: boolean): Promise<Known> {
  const { external_id, email, id } = reference;
  // Two look-ups were overtaken: another one like them could see the same again.
  const lock = isRepeated ? 'share' : undefined;
  // Together, so that a database across a network is asked in one trip.
  const [byExternalId, byEmail, byId] = await Promise.all([
    external_id === undefined ? undefined : contactRows.findBy(trx, { external_id }, lock),
    email === undefined ? undefined : contactRows.findBy(trx, { email: normaliseAddress(email) }, lock),
    id === undefined ? undefined : contactRows.find(trx, id),
  ]);
  return { byExternalId, byEmail, byId };
}

const hasSameNames = (one: ContactRow, other: ContactRow | undefined): boolean =>
  one.external_id === other?.external_id && one.email === other.email;

/** Both, in one order for everybody so that nobody waits in a circle; undefined where they have other names by now. */
async function lock({ trx }: Effects, { target, loser }: Decision): Promise<Decision | undefined> {
  const wanted = [target, loser].filter((row) => row !== undefined).sort((a, b) => (a.id < b.id ? -1 : 1));
  const held = new Map<string, ContactRow>();
  for (const row of wanted) {
    const now = await contactRows.lock(trx, row.id);
    if (now === undefined || !hasSameNames(row, now)) return undefined;
    held.set(row.id, now);
  }
  return { target: target && held.get(target.id), loser: loser && held.get(loser.id) };
}

/** What of the two contacts has been written so far. */
interface Progress {
  loser: ContactRow | undefined;
}

async function releaseAddress({ trx, now }: Effects, loser: ContactRow | undefined, progress: Progress): Promise<void> {
  if (loser === undefined) return;
  progress.loser = { ...loser, email: null, address_as_given: null, updated_at: now };
  await contactRows.update(trx, loser.id, changesOf(progress.loser));
}

interface Written {
  readonly row: ContactRow;
  readonly outcome: 'created' | 'updated' | 'unchanged';
}

/** Undefined: somebody was faster, look again. */
async function write(
  effects: Effects,
  patch: ContactPatch,
  seen: Decision,
  progress: Progress,
): Promise<Written | undefined> {
  const { trx, now } = effects;
  const { target: found } = seen;
  if (found !== undefined && !isChanged(found, applyPatch(found, patch))) return { row: found, outcome: 'unchanged' };
  const held = await lock(effects, seen);
  if (held === undefined) return undefined;
  await releaseAddress(effects, held.loser, progress);
  if (held.target === undefined) {
    const row = newContact(effects, patch);
    return (await contactRows.insertUnlessTaken(trx, row)) ? { row, outcome: 'created' } : undefined;
  }
  const next = { ...applyPatch(held.target, patch), updated_at: now };
  await contactRows.update(trx, next.id, changesOf(next));
  await rememberAddress(trx, held.target, next);
  return { row: next, outcome: isShownDifferently(held.target, next) ? 'updated' : 'unchanged' };
}

/** A contact of this moment with what is said of it. */
export function newContact({ now, newId }: Effects, patch: ContactPatch): ContactRow {
  const blank: ContactRow = {
    id: newId('con'),
    external_id: null,
    email: null,
    address_as_given: null,
    attributes: {},
    created_at: now,
    updated_at: now,
  };
  return applyPatch(blank, patch);
}

/** Tells of a contact that came into being or changed; answers how it is shown. */
export function announce(
  effects: Effects,
  type: 'contact.created' | 'contact.updated',
  row: ContactRow,
  suppressed: ReadonlySet<string>,
): Contact {
  const shown = presentContact(row, suppressed);
  effects.emit(type, shown, { subject: row.id });
  return shown;
}

/**
 * A job asks the program for the person whose external id is new here; the call does not wait for it. The source fills the live
 * side, or the sandbox side of a workspace that has no other one.
 */
function askSource({ services }: ServiceSurface, effects: Effects, { id, external_id }: ContactRow): void {
  const { sandbox, workspace } = effects;
  const isFilled = sandbox === (workspace.plan.name === 'sandbox');
  if (services.contactSource !== undefined && external_id !== null && isFilled)
    effects.enqueue({ kind: fillJobKind, payload: { contactId: id }, subject: id });
}

/**
 * The contact that a reference means. `create` false: one that nobody has is refused instead of made.
 * @throws contact_required, contact_not_found, state_conflict
 */
export async function resolveContact(
  surface: ServiceSurface,
  effects: Effects,
  patch: ContactPatch,
  create: boolean,
): Promise<Resolved> {
  const progress: Progress = { loser: undefined };
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const decision = decide(patch.reference, await findKnown(effects, patch, attempt > 1));
    if (decision.target === undefined && !create)
      throw errors.contact_not_found({ reference: patch.reference.external_id ?? patch.reference.email ?? '' });
    const written = await write(effects, patch, decision, progress);
    if (written === undefined) continue;
    const { row, outcome } = written;
    const { loser } = progress;
    const result = { row, created: outcome === 'created', movedFrom: loser?.id };
    if (outcome !== 'unchanged' && decision.target?.external_id !== row.external_id) askSource(surface, effects, row);
    if (outcome === 'unchanged' && loser === undefined) return { ...result, shown: undefined };
    const suppressed = await suppressedAmong(surface, effects.trx, [row], effects.now);
    if (loser !== undefined) announce(effects, 'contact.updated', loser, suppressed);
    if (outcome === 'unchanged') return { ...result, shown: presentContact(row, suppressed) };
    return { ...result, shown: announce(effects, `contact.${outcome}`, row, suppressed) };
  }
  throw coreErrors.state_conflict({ reason: 'Other requests are changing this contact at this moment. Try again.' });
}

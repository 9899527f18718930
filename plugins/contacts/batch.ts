// Resolves many references to contacts in one transaction, by the same rules as a single one. Called by imports and by the
// jobs that read the program's source. If the transaction conflicts with another one, callers run it again.
import { isPostriderError, isStorageError, normaliseAddress, type TransactionContext } from '../../core/index.ts';
import { notesOf } from './notes.ts';
import { suppressedAmong } from './present.ts';
import { applyPatch, type ContactPatch, decide, isChanged, isShownDifferently, type Known } from './resolution.ts';
import { announce, newContact } from './resolve.ts';
import { changesOf, contactRows, lockContacts, releaseAddresses, rememberAddress } from './store.ts';
import type { ContactRow } from './tables.ts';

/** The result for one reference. For a rejected reference, nothing is written. */
export type BatchOutcome =
  | { readonly outcome: 'created' | 'updated' | 'unchanged'; readonly id: string }
  | { readonly outcome: 'rejected'; readonly reason: string };

const namesIn = (patches: readonly ContactPatch[], name: 'external_id' | 'email' | 'id'): string[] => [
  ...new Set(
    patches.flatMap(({ reference: { [name]: value } }) =>
      value === undefined ? [] : [name === 'email' ? normaliseAddress(value) : value],
    ),
  ),
];

/** The contacts of a batch after the patches applied so far, found by each of their names. */
class Directory {
  readonly #before: ReadonlyMap<string, ContactRow>;
  readonly #rows = new Map<string, ContactRow>();
  readonly #ids = { external_id: new Map<string, string>(), email: new Map<string, string>() };

  constructor(rows: readonly ContactRow[]) {
    this.#before = new Map(rows.map((row) => [row.id, row]));
    for (const row of rows) this.put(row);
  }

  #find(name: 'external_id' | 'email', value: string | undefined): ContactRow | undefined {
    const id = value === undefined ? undefined : this.#ids[name].get(value);
    return id === undefined ? undefined : this.#rows.get(id);
  }

  known({ external_id, email, id }: ContactPatch['reference']): Known {
    return {
      byExternalId: this.#find('external_id', external_id),
      byEmail: this.#find('email', email === undefined ? undefined : normaliseAddress(email)),
      byId: id === undefined ? undefined : this.#rows.get(id),
    };
  }

  put(row: ContactRow): void {
    const last = this.#rows.get(row.id);
    for (const name of ['external_id', 'email'] as const) {
      const [old, value] = [last?.[name] ?? null, row[name]];
      if (old !== null && old !== value && this.#ids[name].get(old) === row.id) this.#ids[name].delete(old);
      if (value !== null) this.#ids[name].set(value, row.id);
    }
    this.#rows.set(row.id, row);
  }

  /** The contacts that the batch creates. */
  get created(): ContactRow[] {
    return [...this.#rows.values()].filter(({ id }) => !this.#before.has(id));
  }

  /** The existing contacts that the batch changes, each with its row from before. */
  get changed(): (readonly [before: ContactRow, after: ContactRow])[] {
    return [...this.#before.values()].flatMap((before) => {
      const after = this.#rows.get(before.id) ?? before;
      return isChanged(before, after) ? [[before, after] as const] : [];
    });
  }
}

function applyTo(directory: Directory, effects: TransactionContext, patch: ContactPatch): BatchOutcome {
  const { target, previousOwner } = decide(patch.reference, directory.known(patch.reference));
  // All checks run before the first change.
  const next =
    target === undefined ? newContact(effects, patch) : { ...applyPatch(target, patch), updated_at: effects.now };
  if (previousOwner !== undefined) {
    directory.put({ ...previousOwner, email: null, address_as_given: null, updated_at: effects.now });
    const created = target === undefined;
    effects.audit(
      'contact.upsert',
      { kind: 'contact', id: next.id },
      notesOf(next.id, { created, movedFrom: previousOwner.id }),
    );
  }
  if (target === undefined) {
    directory.put(next);
    return { outcome: 'created', id: next.id };
  }
  if (isChanged(target, next)) directory.put(next);
  return { outcome: isShownDifferently(target, next) ? 'updated' : 'unchanged', id: target.id };
}

/** Whether the error comes from a concurrent transaction, so that running the batch again may succeed. */
export const isWriteConflict = (error: unknown): boolean =>
  isStorageError(error, 'unique') || isStorageError(error, 'deadlock') || isStorageError(error, 'busy');

/** @throws StorageError that `isWriteConflict` recognises, after a concurrent transaction wrote the same contacts */
export async function upsertContacts(
  ctx: TransactionContext,
  patches: readonly ContactPatch[],
): Promise<BatchOutcome[]> {
  const { trx } = ctx;
  const names = {
    external_id: namesIn(patches, 'external_id'),
    email: namesIn(patches, 'email'),
    id: namesIn(patches, 'id'),
  };
  const directory = new Directory(await lockContacts(trx, names));
  const outcomes = patches.map((one): BatchOutcome => {
    try {
      return applyTo(directory, ctx, one);
    } catch (error) {
      if (!isPostriderError(error)) throw error;
      return { outcome: 'rejected', reason: error.message };
    }
  });
  const { created, changed } = directory;
  // Not deferred: deferred writes have no fixed order, and an address must be released before another contact gets it.
  await releaseAddresses(
    trx,
    changed.flatMap(([{ id, email: had }, { email: has }]) => (had === null || had === has ? [] : [id])),
  );
  for (const [, row] of changed) contactRows.deferUpdate(trx, row.id, changesOf(row));
  // If another contact of the batch took an address over, the address is in use and is not stored as a former address.
  const inUse = new Set([...created, ...changed.map(([, after]) => after)].map(({ email }) => email));
  for (const [before, after] of changed) if (!inUse.has(before.email)) await rememberAddress(trx, before, after);
  for (const row of created) contactRows.deferInsert(trx, row);
  const shown = changed.filter(([before, after]) => isShownDifferently(before, after)).map(([, after]) => after);
  const suppressed = await suppressedAmong(ctx, [...created, ...shown], ctx.now);
  for (const row of created) announce(ctx, 'contact.created', row, suppressed);
  for (const row of shown) announce(ctx, 'contact.updated', row, suppressed);
  return outcomes;
}

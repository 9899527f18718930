// Resolves many references to contacts in one transaction, by the same rules as a single one. Called by imports and by the
// jobs that read the program's source. If the transaction conflicts with another one, callers run it again.
import { setImmediate } from 'node:timers/promises';
import {
  isPostriderError,
  isStorageError,
  normaliseAddress,
  type PrepareContext,
  type TransactionContext,
} from '../../core/index.ts';
import { isConflict } from '../../core/unstable.ts';
import { notesOf } from './audit-notes.ts';
import { suppressedAmong } from './present.ts';
import {
  applyPatch,
  type ContactPatch,
  hasVisibleChange,
  isChanged,
  matchContact,
  type NamedContacts,
} from './resolution-rules.ts';
import { announce, newContact } from './resolve-contact.ts';
import { withSearchColumns } from './search-columns.ts';
import {
  changesOf,
  contactRows,
  findNamed,
  lockContacts,
  type NamesByKind,
  releaseAddresses,
  rememberAddress,
} from './store.ts';
import type { ContactRow } from './tables.ts';

/** The result for one reference. If the reference is rejected, nothing is written for it. */
export type ContactBatchResult =
  | { readonly outcome: 'created' | 'updated' | 'unchanged'; readonly id: string }
  | { readonly outcome: 'rejected'; readonly code: string; readonly reason: string };

const someNames = (patches: readonly ContactPatch[], name: 'external_id' | 'email' | 'id'): string[] => [
  ...new Set(
    patches.flatMap(({ reference: { [name]: value } }) =>
      value === undefined ? [] : [name === 'email' ? normaliseAddress(value) : value],
    ),
  ),
];

const namesIn = (patches: readonly ContactPatch[]): NamesByKind => ({
  external_id: someNames(patches, 'external_id'),
  email: someNames(patches, 'email'),
  id: someNames(patches, 'id'),
});

/** The contacts of a batch with the patches that were applied so far. Each contact is found by any of its names. */
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

  known({ external_id, email, id }: ContactPatch['reference']): NamedContacts {
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

/** The effects of applying patches in memory. */
type PlanEffects = Pick<TransactionContext, 'now' | 'newId' | 'audit'>;

function applyTo(directory: Directory, ctx: PlanEffects, patch: ContactPatch): ContactBatchResult {
  const { target, previousOwner } = matchContact(patch.reference, directory.known(patch.reference));
  // All checks that may throw run before the first change.
  const next = target === undefined ? newContact(ctx, patch) : { ...applyPatch(target, patch), updated_at: ctx.now };
  if (previousOwner !== undefined) {
    directory.put({ ...previousOwner, email: null, address_as_given: null, updated_at: ctx.now });
    const created = target === undefined;
    ctx.audit(
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
  return { outcome: hasVisibleChange(target, next) ? 'updated' : 'unchanged', id: target.id };
}

/** Whether the error comes from a concurrent transaction, so that running the batch again may succeed. */
export const isWriteConflict = (error: unknown): boolean => isConflict(error) || isStorageError(error, 'busy');

const maxAttempts = 6;

/** Runs the work again after a conflict with another writer. */
export async function repeatOnWriteConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let attemptsLeft = maxAttempts; ; ) {
    attemptsLeft -= 1;
    try {
      return await work();
    } catch (error) {
      if (attemptsLeft === 0 || !isWriteConflict(error)) throw error;
    }
  }
}

const applyAll = (directory: Directory, ctx: PlanEffects, patches: readonly ContactPatch[]): ContactBatchResult[] =>
  patches.map((patch) => {
    try {
      return applyTo(directory, ctx, patch);
    } catch (error) {
      if (!isPostriderError(error)) throw error;
      return { outcome: 'rejected', code: error.code, reason: error.message };
    }
  });

/** The number of patches that are planned before other work gets its turn. */
const plannedAtOnce = 500;

/** Computes the results of `upsertContacts` without a transaction, for any number of patches. */
export async function planContacts(
  { now, read }: Pick<PrepareContext, 'now' | 'read'>,
  patches: readonly ContactPatch[],
): Promise<ContactBatchResult[]> {
  const parts: (readonly ContactPatch[])[] = [];
  for (let from = 0; from < patches.length; from += plannedAtOnce)
    parts.push(patches.slice(from, from + plannedAtOnce));
  const rows = new Map<string, ContactRow>();
  for (const patchPart of parts) {
    await setImmediate();
    for (const row of await read(({ trx }) => findNamed(trx, namesIn(patchPart)))) rows.set(row.id, row);
  }
  const directory = new Directory([...rows.values()]);
  let created = 0;
  const newId = (prefix: string): string => {
    created += 1;
    return `${prefix}_${created}`;
  };
  const outcomes: ContactBatchResult[] = [];
  for (const patchPart of parts) {
    await setImmediate();
    outcomes.push(...applyAll(directory, { now, newId, audit: () => undefined }, patchPart));
  }
  return outcomes;
}

/** @throws StorageError that `isWriteConflict` recognises, after a concurrent transaction wrote the same contacts */
export async function upsertContacts(
  ctx: TransactionContext,
  patches: readonly ContactPatch[],
): Promise<ContactBatchResult[]> {
  const { trx } = ctx;
  // The contacts that the references name are locked, and the patches are applied to them in memory.
  const directory = new Directory(await lockContacts(trx, namesIn(patches)));
  const outcomes = applyAll(directory, ctx, patches);
  const { created, changed } = directory;
  // This write is not deferred, because deferred writes have no fixed order, and an address must be released before another contact gets it.
  await releaseAddresses(
    trx,
    changed.flatMap(([{ id, email: had }, { email: has }]) => (had === null || had === has ? [] : [id])),
  );
  for (const [, row] of changed) contactRows.deferUpdate(trx, row.id, changesOf(trx, row));
  // If another contact of the batch took an address over, the address is in use and is not stored as a former address.
  const inUse = new Set([...created, ...changed.map(([, after]) => after)].map(({ email }) => email));
  for (const [before, after] of changed) if (!inUse.has(before.email)) await rememberAddress(trx, before, after);
  for (const row of created) contactRows.deferInsert(trx, withSearchColumns(trx, row));
  const visiblyChanged = changed.filter(([before, after]) => hasVisibleChange(before, after)).map(([, after]) => after);
  const suppressed = await suppressedAmong(ctx, [...created, ...visiblyChanged], ctx.now);
  for (const row of created) announce(ctx, 'contact.created', row, suppressed);
  for (const row of visiblyChanged) announce(ctx, 'contact.updated', row, suppressed);
  return outcomes;
}

// Changes preferences inside the caller's transaction: rows and events.
import type { TransactionContext } from '../../core/index.ts';
import { errors } from './errors.ts';
import { isOptOutByLink } from './preference-by-link.ts';
import { changePreferences, type PreferenceName, preferencesOfEach, removePseudonyms } from './store.ts';
import { type PreferenceRow, type PreferenceSource, preferenceRows, topicRows } from './tables.ts';

/** Preferences to set for one address. */
export interface NewPreferences {
  /** The normalised address. */
  readonly email: string;
  /** Whether the address is subscribed, by topic key. */
  readonly topics: ReadonlyMap<string, boolean>;
  readonly source: PreferenceSource;
  /** How and when the person agreed, at most 500 characters. (Default: none) */
  readonly consentNote?: string | undefined;
}

/** `replaces`: the new preference counts. `same`: it changes nothing. `kept`: it may not lift the earlier opt-out. */
export type PreferenceChange = 'replaces' | 'same' | 'kept';

/** The result of setting preferences, by topic key. */
export interface SetPreferences {
  /** Topics whose preference has another value now, or was set for the first time. */
  readonly changed: readonly string[];
  /** Topics that stay unsubscribed: the caller may not lift the opt-out. */
  readonly kept: readonly string[];
}

/**
 * Decides whether a new preference replaces the earlier one. Only the person, or a call with a consent note, lifts the
 * person's own opt-out. An import lifts only opt-outs that came from an import.
 */
export function preferenceChange(
  earlier: Pick<PreferenceRow, 'subscribed' | 'source'> | undefined,
  subscribed: boolean,
  { source, hasNote }: { readonly source: PreferenceSource; readonly hasNote: boolean },
): PreferenceChange {
  if (earlier === undefined) return 'replaces';
  if (!subscribed) {
    const becomesOwn = isOptOutByLink({ subscribed, source }) && !isOptOutByLink(earlier);
    return earlier.subscribed || becomesOwn ? 'replaces' : 'same';
  }
  if (earlier.subscribed) return hasNote ? 'replaces' : 'same';
  if (source === 'import') return earlier.source === 'import' ? 'replaces' : 'kept';
  return source === 'api' && isOptOutByLink(earlier) && !hasNote ? 'kept' : 'replaces';
}

/** The result for one address, with the rows to insert. */
interface Decided extends SetPreferences {
  readonly rows: readonly PreferenceRow[];
}

/**
 * Decides on the preferences of different addresses, and changes those that have a row. The topics and the earlier preferences are
 * locked. @throws topic_not_found
 */
async function decideEach({ trx, now }: TransactionContext, given: readonly NewPreferences[]): Promise<Decided[]> {
  const keys = [...new Set(given.flatMap(({ topics }) => [...topics.keys()]))].sort();
  // Locked, so that no preference is stored for a topic that is being deleted.
  const known = new Set((await topicRows.findIn(trx, 'key', keys, 'share')).map(({ key }) => key));
  const unknown = keys.find((key) => !known.has(key));
  if (unknown !== undefined) throw errors.topic_not_found({ key: unknown });
  const stored = await preferencesOfEach(
    trx,
    given.map(({ email }) => email),
    'update',
  );
  const replaced: PreferenceName[] = [];
  const next: PreferenceRow[] = [];
  const decided = given.map(({ email, topics, source, consentNote }): Decided => {
    const [changed, kept, rows]: [string[], string[], PreferenceRow[]] = [[], [], []];
    for (const key of [...topics.keys()].sort()) {
      const subscribed = topics.get(key) === true;
      const earlier = stored.get(email)?.get(key);
      const outcome = preferenceChange(earlier, subscribed, { source, hasNote: consentNote !== undefined });
      if (outcome === 'kept') kept.push(key);
      if (outcome !== 'replaces') continue;
      const row = { email, topic_key: key, subscribed, source, consent_note: consentNote ?? null, at: now };
      (earlier?.hasAddress === true ? next : rows).push(row);
      if (earlier !== undefined) replaced.push({ email, topicKey: key });
      if (earlier?.subscribed !== subscribed) changed.push(key);
    }
    return { changed, kept, rows };
  });
  await removePseudonyms(trx, replaced);
  await changePreferences(trx, next);
  return decided;
}

/** Emits the events of the changes. */
async function announceEach(
  ctx: TransactionContext,
  given: readonly NewPreferences[],
  decided: readonly Decided[],
): Promise<void> {
  const emails = given.flatMap(({ email }, index) => (decided[index]?.changed.length === 0 ? [] : [email]));
  if (emails.length === 0) return;
  const contacts = await ctx.services.contacts.byEmails(ctx.trx, emails);
  const eventsFor = (subscribed: boolean) =>
    given.flatMap(({ email, topics, source }, index) => {
      const found = contacts.get(email);
      const contact = { id: found?.id ?? null, external_id: found?.external_id ?? null, email };
      return (decided[index]?.changed ?? [])
        .filter((key) => (topics.get(key) === true) === subscribed)
        .map((topic) => ({ data: { topic, contact, source }, subject: contact.id ?? email }));
    });
  await ctx.emitEach('topic.subscribed', eventsFor(true));
  await ctx.emitEach('topic.unsubscribed', eventsFor(false));
}

/**
 * Sets preferences of an address and emits their events.
 * @throws topic_not_found
 * @throws StorageError `unique` if another transaction stored a first preference at the same time: try again
 */
export async function setPreferences(ctx: TransactionContext, given: NewPreferences): Promise<SetPreferences> {
  const decided = await decideEach(ctx, [given]);
  for (const { rows } of decided) for (const row of rows) await preferenceRows.insert(ctx.trx, row);
  await announceEach(ctx, [given], decided);
  const { changed = [], kept = [] } = decided[0] ?? {};
  return { changed, kept };
}

/**
 * Like `setPreferences`, for different addresses, in a few statements. The rows are stored at the end of the transaction.
 * @throws StorageError `unique` also at the end of the transaction
 */
export async function setPreferencesOfEach(ctx: TransactionContext, given: readonly NewPreferences[]): Promise<void> {
  const decided = await decideEach(ctx, given);
  for (const { rows } of decided) for (const row of rows) preferenceRows.deferInsert(ctx.trx, row);
  await announceEach(ctx, given, decided);
}

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

/** `replaces`: the new preference replaces the earlier one. `same`: it changes nothing. `kept`: the earlier opt-out may not be lifted. */
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

/** The decisions on the preferences of one address, with the rows to insert. */
interface PreferenceDecision extends SetPreferences {
  readonly rows: readonly PreferenceRow[];
}

/**
 * Decides on the preferences of different addresses, and changes those that have a row. The topics and the earlier preferences are
 * locked. @throws topic_not_found
 */
async function decideAndChange(
  { trx, now }: TransactionContext,
  newPreferences: readonly NewPreferences[],
): Promise<PreferenceDecision[]> {
  const keys = [...new Set(newPreferences.flatMap(({ topics }) => [...topics.keys()]))].sort();
  // Locked, so that no preference is stored for a topic that is being deleted.
  const knownKeys = new Set((await topicRows.findIn(trx, 'key', keys, 'share')).map(({ key }) => key));
  const unknown = keys.find((key) => !knownKeys.has(key));
  if (unknown !== undefined) throw errors.topic_not_found({ key: unknown });
  const stored = await preferencesOfEach(
    trx,
    newPreferences.map(({ email }) => email),
    'update',
  );
  const replaced: PreferenceName[] = [];
  const next: PreferenceRow[] = [];
  const decisions = newPreferences.map(({ email, topics, source, consentNote }): PreferenceDecision => {
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
  return decisions;
}

/** Emits an event for each change. */
async function emitChanges(
  ctx: TransactionContext,
  newPreferences: readonly NewPreferences[],
  decisions: readonly PreferenceDecision[],
): Promise<void> {
  const emails = newPreferences.flatMap(({ email }, index) => (decisions[index]?.changed.length === 0 ? [] : [email]));
  if (emails.length === 0) return;
  const contacts = await ctx.services.contacts.byEmails(ctx.trx, emails);
  const eventsFor = (subscribed: boolean) =>
    newPreferences.flatMap(({ email, topics, source }, index) => {
      const storedContact = contacts.get(email);
      const contact = { id: storedContact?.id ?? null, external_id: storedContact?.external_id ?? null, email };
      return (decisions[index]?.changed ?? [])
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
export async function setPreferences(ctx: TransactionContext, newPreferences: NewPreferences): Promise<SetPreferences> {
  const decisions = await decideAndChange(ctx, [newPreferences]);
  for (const { rows } of decisions) for (const row of rows) await preferenceRows.insert(ctx.trx, row);
  await emitChanges(ctx, [newPreferences], decisions);
  const { changed = [], kept = [] } = decisions[0] ?? {};
  return { changed, kept };
}

/**
 * Like `setPreferences`, for different addresses, in a few statements. The rows are stored at the end of the transaction.
 * @throws StorageError `unique` also at the end of the transaction
 */
export async function setPreferencesOfEach(
  ctx: TransactionContext,
  newPreferences: readonly NewPreferences[],
): Promise<void> {
  const decisions = await decideAndChange(ctx, newPreferences);
  for (const { rows } of decisions) for (const row of rows) preferenceRows.deferInsert(ctx.trx, row);
  await emitChanges(ctx, newPreferences, decisions);
}

// SQL of the topics plugin. A preference is found by the address or by its pseudonym.
import { filledList, presenter, pseudonymOf, type WorkspaceHandle } from '../../core/index.ts';
import { isOptOutByLink } from './preference-by-link.ts';
import { maxTopics, topicResource } from './schema.ts';
import { type PreferenceRow, preferenceRows, type TopicRow, topicRows, topics } from './tables.ts';

export const presentTopic = presenter(topics, topicResource, { default: (row) => row.default_state });

/** The topics of the workspace by position. Topics with equal positions are newest first. */
export async function listTopics(handle: WorkspaceHandle): Promise<TopicRow[]> {
  const found = await topicRows.page(handle, { limit: maxTopics });
  // The page is newest first, and the sort is stable.
  return found.sort((one, other) => one.position - other.position);
}

/** The names under which the preferences of an address may be stored: the address itself and its pseudonym. */
const namesOf = ({ workspaceId }: WorkspaceHandle, email: string): readonly [string, string] => [
  email,
  pseudonymOf(workspaceId, email),
];

/** The precedence of two preferences for one topic: the person's own opt-out, then other opt-outs. */
const rankOf = (row: PreferenceRow): number => (row.subscribed ? 2 : isOptOutByLink(row) ? 0 : 1);

const stricter = (one: PreferenceRow | undefined, other: PreferenceRow): PreferenceRow =>
  one === undefined || rankOf(other) < rankOf(one) ? other : one;

/** The maximum number of addresses that one statement looks up, each under two names. */
const addressesPerStatement = 500;

/** The addresses by their names, divided into maps that are small enough for one statement each. */
const nameMapsOf = (handle: WorkspaceHandle, emails: readonly string[]): ReadonlyMap<string, string>[] =>
  Array.from({ length: Math.ceil(emails.length / addressesPerStatement) }, (_, part) => {
    const emailsOfPart = emails.slice(part * addressesPerStatement, (part + 1) * addressesPerStatement);
    return new Map(emailsOfPart.flatMap((email) => namesOf(handle, email).map((name) => [name, email])));
  });

/** A preference, found by its address or by the pseudonym of the address. */
export interface StoredPreference extends PreferenceRow {
  /** Whether a row is stored under the address itself. */
  readonly hasAddress: boolean;
}

/** The preferences of normalised addresses, by address and topic. `lock` needs a transaction. (Default: no lock) */
export async function preferencesOfEach(
  handle: WorkspaceHandle,
  emails: readonly string[],
  lock?: 'update',
): Promise<ReadonlyMap<string, ReadonlyMap<string, StoredPreference>>> {
  const found = new Map<string, Map<string, StoredPreference>>();
  for (const names of nameMapsOf(handle, emails))
    for (const row of await preferenceRows.findIn(handle, 'email', [...names.keys()], lock)) {
      const email = names.get(row.email) ?? row.email;
      const ofAddress = found.get(email) ?? new Map<string, StoredPreference>();
      const other = ofAddress.get(row.topic_key);
      const hasAddress = row.email === email || other?.hasAddress === true;
      ofAddress.set(row.topic_key, { ...stricter(other, row), hasAddress });
      found.set(email, ofAddress);
    }
  return found;
}

/** The preferences of a normalised address, by topic. */
export const preferencesOf = async (
  handle: WorkspaceHandle,
  email: string,
): Promise<ReadonlyMap<string, PreferenceRow>> => (await preferencesOfEach(handle, [email])).get(email) ?? new Map();

/** The preferences of normalised addresses for one topic, by address. */
export async function preferencesFor(
  handle: WorkspaceHandle,
  topicKey: string,
  emails: readonly string[],
): Promise<ReadonlyMap<string, PreferenceRow>> {
  const found = new Map<string, PreferenceRow>();
  for (const names of nameMapsOf(handle, emails)) {
    const rows = await preferenceRows.findIn(handle, 'email', [...names.keys()], undefined, { topic_key: topicKey });
    for (const row of rows) {
      const email = names.get(row.email) ?? row.email;
      found.set(email, stricter(found.get(email), row));
    }
  }
  return found;
}

/** The address and the topic of a preference. */
export interface PreferenceName {
  /** Normalised. */
  readonly email: string;
  readonly topicKey: string;
}

/** Deletes the preferences under pseudonyms that new preferences of the same addresses replace, in a few statements for each topic. */
export async function removePseudonyms(handle: WorkspaceHandle, replaced: readonly PreferenceName[]): Promise<void> {
  for (const topicKey of new Set(replaced.map((one) => one.topicKey))) {
    const emails = replaced.filter((one) => one.topicKey === topicKey).map(({ email }) => email);
    for (const names of nameMapsOf(handle, emails)) {
      const pseudonyms = [...names].flatMap(([name, email]) => (name === email ? [] : [name]));
      await removePreferences(handle, pseudonyms, [topicKey]);
    }
  }
}

/**
 * Changes stored preferences, in a few statements for each topic and new value. The caller has read them with a lock. Rows are updated
 * and not deleted and inserted again, so that transactions that wait for the lock find the new values.
 */
export async function changePreferences({ db }: WorkspaceHandle, rows: readonly PreferenceRow[]): Promise<void> {
  const groups = new Map<string, PreferenceRow[]>();
  for (const row of rows) {
    const { email: _, ...values } = row;
    const group = JSON.stringify(values);
    groups.set(group, [...(groups.get(group) ?? []), row]);
  }
  for (const [first, ...others] of groups.values()) {
    if (first === undefined) continue;
    const emails = [first, ...others].map(({ email }) => email);
    for (let from = 0; from < emails.length; from += addressesPerStatement)
      await db
        .updateTable('topic_preferences')
        .set({
          subscribed: first.subscribed ? 1 : 0,
          source: first.source,
          consent_note: first.consent_note,
          at: first.at,
        })
        .where('email', 'in', filledList(emails.slice(from, from + addressesPerStatement)))
        .where('topic_key', '=', first.topic_key)
        .execute();
  }
}

/** Deletes the preferences for some topics that are stored under one of these names. */
export async function removePreferences(
  { db }: WorkspaceHandle,
  names: readonly string[],
  topicKeys: readonly string[],
): Promise<void> {
  if (topicKeys.length === 0) return;
  await db
    .deleteFrom('topic_preferences')
    .where('email', 'in', filledList(names))
    .where('topic_key', 'in', filledList(topicKeys))
    .execute();
}

/** The topics among these with which mail was sent to the address. */
export async function topicsSentTo(
  { db }: WorkspaceHandle,
  email: string,
  topicKeys: readonly string[],
): Promise<ReadonlySet<string>> {
  if (topicKeys.length === 0) return new Set();
  const rows = await db
    .selectFrom('sends')
    .select('topic_key')
    .distinct()
    .where('to_normalised', '=', email)
    .where('topic_key', 'in', filledList(topicKeys))
    .where('status', 'not in', ['suppressed', 'canceled'])
    .execute();
  return new Set(rows.flatMap(({ topic_key: key }) => key ?? []));
}

/**
 * Deletes the preferences for a topic in a span of addresses that were set until a time, except opt-outs by the person. Returns the last
 * address of the span, or undefined if no address is left.
 */
export async function removeSomePreferences(
  { db }: WorkspaceHandle,
  topicKey: string,
  { after, until, limit }: { readonly after: string; readonly until: number; readonly limit: number },
): Promise<string | undefined> {
  const rows = await db
    .selectFrom('topic_preferences')
    .select(['email', 'subscribed', 'source'])
    .where('topic_key', '=', topicKey)
    .where('email', '>', after)
    .orderBy('email')
    .limit(limit)
    .execute();
  const removed = rows.filter(({ subscribed, source }) => !isOptOutByLink({ subscribed: subscribed === 1, source }));
  if (removed.length > 0)
    await db
      .deleteFrom('topic_preferences')
      .where('topic_key', '=', topicKey)
      .where('email', 'in', filledList(removed.map(({ email }) => email)))
      .where('at', '<=', until)
      .execute();
  return rows.at(-1)?.email;
}

// `ctx.services.topics`: the calls that other plugins make about topics and preferences. Called inside the caller's
// transaction or read. The handle's side decides whose preferences are used.
import {
  normaliseAddress,
  type ReferenceSource,
  type TransactionContext,
  type WorkspaceHandle,
} from '../../core/index.ts';
import { errors } from './errors.ts';
import { isPreferenceByLink } from './preference-by-link.ts';
import { type NewPreferences, type SetPreferences, setPreferences, setPreferencesOfEach } from './preferences.ts';
import { listTopics, preferencesFor, preferencesOf, topicsSentTo } from './store.ts';
import { topicRows } from './tables.ts';
import { subscriptionOf, type TopicSubscription } from './topic-subscription.ts';

/** A topic with the subscription of one address. */
export interface TopicChoice extends TopicSubscription {
  readonly key: string;
  readonly name: string;
  readonly description: string;
}

/** The properties of a topic that other plugins need. */
export interface TopicRecord {
  readonly key: string;
  readonly name: string;
  readonly visibility: 'public' | 'private';
}

/** `ctx.services.topics`. */
export interface TopicsService {
  /** A topic of the workspace. `lock` prevents its deletion until the transaction ends. (Default: no lock) */
  find(handle: WorkspaceHandle, key: string, lock?: 'share'): Promise<TopicRecord | undefined>;
  /** The existing topics among these keys, in one look-up. `lock` as for `find`. */
  existing(handle: WorkspaceHandle, keys: readonly string[], lock?: 'share'): Promise<ReadonlySet<string>>;
  /** The error for an unknown topic key, so that other plugins throw the same error. */
  notFound(key: string): Error;
  /** Whether an address is subscribed to a topic; null means no address: the default. Undefined if there is no such topic. */
  subscription(handle: WorkspaceHandle, topicKey: string, email: string | null): Promise<TopicSubscription | undefined>;
  /**
   * The same for many addresses, by normalised address. The result has an entry for each given address. Undefined if there is no
   * such topic. One look-up for each 500 addresses.
   */
  subscriptionsOf(
    handle: WorkspaceHandle,
    topicKey: string,
    emails: readonly string[],
  ): Promise<ReadonlyMap<string, TopicSubscription> | undefined>;
  /**
   * The topics that the owner of an address may see, with their subscription: public topics, and private topics with which mail was
   * sent to the address or for which its owner set a preference.
   */
  choicesOf(handle: WorkspaceHandle, email: string): Promise<readonly TopicChoice[]>;
  /**
   * Sets preferences of an address and emits topic.subscribed and topic.unsubscribed. `form`: call it only after the address has
   * confirmed. An opt-out that the caller may not lift stays: an opt-out by a link in a mail is lifted by `page`, `form` and `api` with a
   * consent note, and an import lifts only opt-outs of imports.
   * @throws topic_not_found
   * @throws StorageError `unique` if another transaction stored a first preference at the same time: try again
   */
  set(ctx: TransactionContext, given: NewPreferences): Promise<SetPreferences>;
  /**
   * Like `set`, for different addresses at once, such as those of an import. The rows are stored at the end of the transaction, which
   * may then fail with `unique`.
   */
  setEach(ctx: TransactionContext, given: readonly NewPreferences[]): Promise<void>;
}

const normalised = (given: NewPreferences): NewPreferences => ({ ...given, email: normaliseAddress(given.email) });

/** Creates the service. It has no state. */
export const createTopicsService = (): TopicsService => ({
  async find(handle, key, lock) {
    const row = await topicRows.findBy(handle, { key }, lock);
    return row === undefined ? undefined : { key, name: row.name, visibility: row.visibility };
  },
  async existing(handle, keys, lock) {
    return new Set((await topicRows.findIn(handle, 'key', keys, lock)).map(({ key }) => key));
  },
  notFound: (key) => errors.topic_not_found({ key }),
  async subscription(handle, topicKey, email) {
    if (email === null) {
      const topic = await topicRows.find(handle, topicKey);
      return topic && subscriptionOf(topic, undefined);
    }
    const address = normaliseAddress(email);
    const found = await this.subscriptionsOf(handle, topicKey, [address]);
    return found?.get(address);
  },
  async subscriptionsOf(handle, topicKey, emails) {
    const addresses = [...new Set(emails.map(normaliseAddress))];
    const [topic, rows] = await Promise.all([
      topicRows.find(handle, topicKey),
      preferencesFor(handle, topicKey, addresses),
    ]);
    return topic && new Map(addresses.map((email) => [email, subscriptionOf(topic, rows.get(email))]));
  },
  async choicesOf(handle, email) {
    const address = normaliseAddress(email);
    const [topics, rows] = await Promise.all([listTopics(handle), preferencesOf(handle, address)]);
    const isOwn = (key: string): boolean => isPreferenceByLink(rows.get(key)?.source);
    const hidden = topics.filter(({ key, visibility }) => visibility === 'private' && !isOwn(key));
    const topicsOfMail = await topicsSentTo(
      handle,
      address,
      hidden.map(({ key }) => key),
    );
    return topics
      .filter(({ key, visibility }) => visibility === 'public' || isOwn(key) || topicsOfMail.has(key))
      .map((topic) => {
        const { key, name, description } = topic;
        return { key, name, description, ...subscriptionOf(topic, rows.get(key)) };
      });
  },
  set: (ctx, given) => setPreferences(ctx, normalised(given)),
  setEach: (ctx, given) => setPreferencesOfEach(ctx, given.map(normalised)),
});

declare module '../../core/contract/open.ts' {
  interface Services {
    topics: TopicsService;
  }
  interface ExtensionPoints {
    /** The users of a topic, by its key. If a caller tries to delete the topic, the error `topic_in_use` lists them. */
    'topics.references': ReferenceSource;
  }
}

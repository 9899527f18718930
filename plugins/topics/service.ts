// `ctx.services.topics`: reads topics and sets preferences for other plugins, inside the caller's transaction or read. The
// preferences are those on the handle's side.
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
  /** Whether an address is subscribed to a topic. Without an address (null), the topic's default. Undefined if the topic does not exist. */
  subscription(handle: WorkspaceHandle, topicKey: string, email: string | null): Promise<TopicSubscription | undefined>;
  /**
   * Like `subscription` for many addresses: the result has an entry for each address, by its normalised form. Undefined if the topic
   * does not exist. One look-up for each 500 addresses.
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
   * Sets preferences of an address and emits topic.subscribed and topic.unsubscribed. With the source `form`, call it only after the
   * owner of the address has confirmed it. Opt-outs that the source may not lift stay: an opt-out by a link in a mail is lifted by
   * `page`, by `form`, and by `api` with a consent note. An import lifts only opt-outs of imports.
   * @throws topic_not_found
   * @throws StorageError `unique` if another transaction stored a first preference at the same time: try again
   */
  set(ctx: TransactionContext, newPreferences: NewPreferences): Promise<SetPreferences>;
  /**
   * Like `set`, for different addresses at once, such as the addresses of an import. The rows are stored at the end of the transaction, which
   * may then fail with `unique`.
   */
  setEach(ctx: TransactionContext, newPreferences: readonly NewPreferences[]): Promise<void>;
}

const withNormalisedEmail = (newPreferences: NewPreferences): NewPreferences => ({
  ...newPreferences,
  email: normaliseAddress(newPreferences.email),
});

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
    const subscriptions = await this.subscriptionsOf(handle, topicKey, [address]);
    return subscriptions?.get(address);
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
  set: (ctx, newPreferences) => setPreferences(ctx, withNormalisedEmail(newPreferences)),
  setEach: (ctx, newPreferences) => setPreferencesOfEach(ctx, newPreferences.map(withNormalisedEmail)),
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

// The port of social adapters. An adapter publishes on a network with the credentials of one connector. Jobs call it, outside any
// transaction. It makes no decisions about posts, and records each step before it publishes anything.
import type { PortAdapter } from '../../../core/index.ts';
import type { MediaKind } from './rules.ts';

/** The features of a network besides publishing a text. */
export interface SocialCapabilities {
  readonly media: boolean;
  readonly threads: boolean;
  /** Whether live posts can be deleted. */
  readonly deletes: boolean;
  readonly analytics: boolean;
}

/** An account as the network describes it. */
export interface NetworkAccount {
  /** The network's own id of the account: a page, an organisation, a user. At most 200 characters. */
  readonly externalId: string;
  readonly displayName: string;
  /** Without `@`. */
  readonly handle: string;
  /** An https URL of at most 2,048 characters. Other URLs are not stored. */
  readonly avatarUrl: string | null;
  /**
   * Whether it is the account of a company. undefined if the network does not say: then the program states it when it
   * connects the account. Personal accounts are dropped before they are stored.
   */
  readonly isCompany: boolean | undefined;
  /** Values that the account allows, by the name of the setting: boards as `boardId`, TikTok's `privacy`. (Default: none) */
  readonly options?: Readonly<Record<string, readonly AccountOption[]>>;
}

/** One allowed value of a setting. */
export interface AccountOption {
  readonly value: string;
  readonly name: string;
}

/** Options of every call. */
export interface SocialCallOptions {
  /** Ends the call: after 60 s, with uploads after 10 minutes. */
  readonly signal: AbortSignal;
  /** The current time, in milliseconds since the epoch. */
  readonly now: number;
  /**
   * Ensures that this process still holds the lease of the publication. A process that was suspended for a while may have lost it
   * to another process. `publish` awaits it right before each visible request. `httpSocial` does so itself. (Default: no check)
   */
  readonly confirm?: () => Promise<void>;
}

/** An attachment, ready to be uploaded. */
export interface SocialMedia {
  readonly assetId: string;
  readonly kind: MediaKind;
  readonly contentType: string;
  readonly bytes: number;
  readonly width: number | null;
  readonly height: number | null;
  readonly durationMs: number | null;
  readonly alt: string;
  /** All bytes. For images; a video is read with `open`. */
  read(): Promise<Uint8Array>;
  /** The bytes as a stream; with a range, from `start` (inclusive) to `end` (exclusive). */
  open(range?: { readonly start: number; readonly end: number }): Promise<AsyncIterable<Uint8Array>>;
  /**
   * A signed URL, valid for an hour, for a network that fetches files by URL: the URL of the attachment, or of a file that the adapter
   * has converted from it.
   * @throws SocialError `rejected`, problem `setting_invalid`, if the service has no public URL
   */
  url(converted?: ConvertedFile): Promise<string>;
}

/** A file that an adapter has converted from an attachment: scaled, or in another format. */
export interface ConvertedFile {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

/** The content to publish on one account. Texts are complete: they contain the hashtags and, if the rules say so, the link. */
export interface SocialTarget {
  readonly postId: string;
  /** `soa_…`. */
  readonly accountRef: string;
  /** `NetworkAccount.externalId`. */
  readonly externalAccountId: string;
  /** One text, or several for a thread, in this order. */
  readonly texts: readonly [string, ...string[]];
  readonly media: readonly SocialMedia[];
  /** Null if the post has no link, or if the rules put the link into the text. */
  readonly linkUrl: string | null;
  /** `channelSettings.<channelId>`. */
  readonly settings: Readonly<Record<string, string>>;
  /**
   * 22 letters and digits, for keys that the client chooses. Different for each post, and the same for all attempts of a post.
   */
  readonly key: string;
  /**
   * The time at which the first attempt began, in milliseconds since the epoch. A probe looks for posts that are not older. In a probe, the
   * value is adjusted to the network's clock after each response, so read it after the response.
   */
  readonly startedAt: number;
}

/** A step that an adapter did or was about to do. */
export interface RecordedStep {
  readonly name: string;
  /** Data that the adapter recorded before the request. */
  readonly note: Readonly<Record<string, unknown>>;
  /** The network's response. Null if it is unknown: the request may have taken effect. `part`: see `PublishSteps.after`. */
  readonly result: Readonly<Record<string, unknown>> | null;
}

/**
 * The recorded steps of a publication. `before` commits before the request is made, `after` when its response has arrived, so that after
 * a crash the adapter knows the completed steps. Names are unique within a target: `upload 1`, `container`, `tweet 2`.
 */
export interface PublishSteps {
  /** All steps, in the order of their first record. */
  readonly done: readonly RecordedStep[];
  /** The step of this name. */
  find(name: string): RecordedStep | undefined;
  /** Records that a request is about to be made. Called again if a probe found that the earlier request had no effect. */
  before(name: string, note?: Readonly<Record<string, unknown>>): Promise<void>;
  /**
   * Records the network's response: ids, never credentials. The result of a step that made something visible contains `part`, the
   * id of the visible part. If the publication breaks off, the parts are counted, and a later publication continues after them.
   */
  after(name: string, result: Readonly<Record<string, unknown>>): Promise<void>;
}

/** A live post on the network. */
export interface PublishedPost {
  /** The id of the post; for a thread, the id of its first post. At most 300 characters. */
  readonly externalId: string;
  /** The URL at which people see the post; null if the network does not say. */
  readonly url: string | null;
  /** The ids of all parts of a thread. (Default: externalId alone) */
  readonly parts?: readonly string[];
}

/**
 * The outcome of an unfinished publication. `landed`: it is complete. `absent`: the open step had no effect, and `publish` can
 * continue from there. `unclear`: the network does not say yet.
 */
export type ProbeResult =
  | { readonly outcome: 'landed'; readonly post: PublishedPost }
  | { readonly outcome: 'absent' }
  | { readonly outcome: 'unclear'; readonly reason: string };

/** Metrics of a post; null if the network does not report the metric. */
export interface PostMetrics {
  readonly impressions: number | null;
  readonly reach: number | null;
  readonly likes: number | null;
  readonly comments: number | null;
  readonly shares: number | null;
  readonly clicks: number | null;
  readonly saves: number | null;
  readonly videoViews: number | null;
}

/** A live post, to delete it or to ask for its metrics. */
export interface LiveTarget extends Pick<SocialTarget, 'postId' | 'accountRef' | 'externalAccountId' | 'settings'> {
  readonly externalId: string;
  readonly parts: readonly string[];
}

/** A network with the credentials of one connector. Every method throws SocialError and nothing else. */
export interface SocialAdapter extends PortAdapter {
  /** The accounts that the credentials reach. */
  accounts(options: SocialCallOptions): Promise<readonly NetworkAccount[]>;
  /**
   * Publishes what is not published yet, and resolves when people can see it. Records each visible step before its request, and
   * does not repeat a step whose result is recorded. Called again after `transient` and `limited`, and after a probe that returned
   * `absent`.
   */
  publish(target: SocialTarget, steps: PublishSteps, options: SocialCallOptions): Promise<PublishedPost>;
  /**
   * Asks the network whether the step without a result took effect. It may record the result itself. If later parts are still missing,
   * it then returns `absent`, and `publish` continues after that step.
   */
  probe(target: SocialTarget, steps: PublishSteps, options: SocialCallOptions): Promise<ProbeResult>;
  /** Deletes a live post with all parts. A post that no longer exists counts as deleted. (Default: the network cannot delete posts) */
  remove?(target: LiveTarget, options: SocialCallOptions): Promise<void>;
  /** (Default: the network does not report metrics) */
  metrics?(target: LiveTarget, options: SocialCallOptions): Promise<PostMetrics>;
  close(): Promise<void>;
}

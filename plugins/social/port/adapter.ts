// What a social adapter is: it publishes on a network with the credentials of one connector. Called by jobs, outside any
// transaction. It decides nothing about posts, and publishes nothing without recording the step first.
import type { PortAdapter } from '../../../core/index.ts';
import type { MediaKind } from './rules.ts';

/** What a network allows beside publishing a text. */
export interface SocialCapabilities {
  readonly media: boolean;
  readonly threads: boolean;
  /** Whether live posts can be deleted. */
  readonly deletes: boolean;
  readonly analytics: boolean;
}

/** An account as the network describes it. */
export interface NetworkAccount {
  /** The network's own id of it: a page, an organisation, a user. At most 200 characters. */
  readonly externalId: string;
  readonly displayName: string;
  /** Without `@`. */
  readonly handle: string;
  /** Https, at most 2,048 characters; any other is not kept. */
  readonly avatarUrl: string | null;
  /**
   * Whether it is the account of a company. undefined where the network does not say: then the program states it when it
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
  /** The present time, in milliseconds since the epoch. */
  readonly now: number;
  /**
   * Makes sure that this process still has the publication, and that no other goes on with it: one that stood still for a while
   * may have lost it. `publish` awaits it right before each visible request. `httpSocial` does so itself. (Default: certain)
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
  /** The bytes as a stream, from `start` to before `end` where they are given. */
  open(range?: { readonly start: number; readonly end: number }): Promise<AsyncIterable<Uint8Array>>;
  /**
   * A signed URL of an hour, for a network that fetches by URL: of the attachment, or of this file that was made of it.
   * @throws SocialError `rejected`, problem `setting_invalid`, where the service has no public URL
   */
  url(made?: MadeFile): Promise<string>;
}

/** A file that an adapter made of an attachment: scaled, or in another format. */
export interface MadeFile {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

/** What is published on one account. Texts are complete: hashtags and, where the rules say so, the link are in them. */
export interface SocialTarget {
  readonly postId: string;
  /** `soa_…`. */
  readonly accountRef: string;
  /** `NetworkAccount.externalId`. */
  readonly externalAccountId: string;
  /** One text, or several for a thread, in this order. */
  readonly texts: readonly [string, ...string[]];
  readonly media: readonly SocialMedia[];
  /** Null where there is none, and where the rules put it into the text. */
  readonly linkUrl: string | null;
  /** `channelSettings.<channelId>`. */
  readonly settings: Readonly<Record<string, string>>;
  /** Differs from post to post and stays the same over all tries: 22 letters and digits, for keys that the client chooses. */
  readonly key: string;
  /**
   * When the first try began, in milliseconds since the epoch: a probe looks for posts that are not older. There it is by the
   * network's clock, as far as its latest answer tells it: read it after the answer.
   */
  readonly startedAt: number;
}

/** Something that an adapter did, or was about to do. */
export interface RecordedStep {
  readonly name: string;
  /** What the adapter noted before the request. */
  readonly note: Readonly<Record<string, unknown>>;
  /** What the network answered; null while that is not known: the request may have taken effect. `part`: see `after`. */
  readonly result: Readonly<Record<string, unknown>> | null;
}

/**
 * The record of a publication. `before` commits before the request is made, `after` when its answer came, so that after a crash
 * the adapter knows how far it was. Names are unique within a target: `upload 1`, `container`, `tweet 2`.
 */
export interface PublishSteps {
  /** All steps, in the order of their first record. */
  readonly done: readonly RecordedStep[];
  /** The step of this name. */
  find(name: string): RecordedStep | undefined;
  /** Records that a request is about to be made; again where a probe found that the one before had no effect. */
  before(name: string, note?: Readonly<Record<string, unknown>>): Promise<void>;
  /**
   * Records what the network answered: ids, never credentials. The result of a step that made something visible has `part`, the
   * id of what people see: what broke off is counted by it, and a later publication goes on behind it.
   */
  after(name: string, result: Readonly<Record<string, unknown>>): Promise<void>;
}

/** A post as it stands on the network. */
export interface PublishedPost {
  /** The id of the post; of a thread its first. At most 300 characters. */
  readonly externalId: string;
  /** Where people see it; null where the network does not say. */
  readonly url: string | null;
  /** Ids of all parts, of a thread. (Default: externalId alone) */
  readonly parts?: readonly string[];
}

/**
 * What became of an unfinished publication. `landed`: it is complete. `absent`: the step that was under way had no effect, and
 * `publish` can go on from there. `unclear`: the network does not say yet.
 */
export type ProbeAnswer =
  | { readonly outcome: 'landed'; readonly post: PublishedPost }
  | { readonly outcome: 'absent' }
  | { readonly outcome: 'unclear'; readonly reason: string };

/** Figures of a post; null for what the network does not report. */
export interface PostFigures {
  readonly impressions: number | null;
  readonly reach: number | null;
  readonly likes: number | null;
  readonly comments: number | null;
  readonly shares: number | null;
  readonly clicks: number | null;
  readonly saves: number | null;
  readonly videoViews: number | null;
}

/** A post to delete or to ask about. */
export interface LiveTarget extends Pick<SocialTarget, 'postId' | 'accountRef' | 'externalAccountId' | 'settings'> {
  readonly externalId: string;
  readonly parts: readonly string[];
}

/** A network, with the credentials of one connector. Every method throws SocialError and nothing else. */
export interface SocialAdapter extends PortAdapter {
  /** The accounts that the credentials reach. */
  accounts(options: SocialCallOptions): Promise<readonly NetworkAccount[]>;
  /**
   * Publishes what is not published yet, and resolves when people can see it. Records each visible step before its request, and
   * repeats none whose result is recorded. Called again after `transient` and `limited`, and after a probe that answered `absent`.
   */
  publish(target: SocialTarget, steps: PublishSteps, options: SocialCallOptions): Promise<PublishedPost>;
  /**
   * Asks the network what became of the step without a result. May record the result that it finds, so that `publish` goes on
   * after it: then it answers `absent` while later parts are missing.
   */
  probe(target: SocialTarget, steps: PublishSteps, options: SocialCallOptions): Promise<ProbeAnswer>;
  /** Deletes a live post with all parts; one that is gone already counts as deleted. (Default: the network has no deletion) */
  remove?(target: LiveTarget, options: SocialCallOptions): Promise<void>;
  /** (Default: the network reports none) */
  figures?(target: LiveTarget, options: SocialCallOptions): Promise<PostFigures>;
  close(): Promise<void>;
}

// The stored content, problems and errors of a post.
import type { MediaKind } from './port/index.ts';

export const mediaKinds = ['image', 'video', 'gif'] as const satisfies readonly MediaKind[];

/** The content of a post that people see. */
export interface SocialPostContent {
  readonly channels: readonly string[];
  readonly caption: string;
  readonly channelCaptions: Readonly<Record<string, string>>;
  readonly threadTweets: readonly string[];
  readonly hashtags: readonly string[];
  readonly media: readonly PostMedia[];
  readonly linkUrl: string | null;
  readonly channelSettings: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The accountRef that the caller chose, by channel id. */
  readonly targetAccountRefs: Readonly<Record<string, string>>;
}

/** An attachment of a post. */
export interface PostMedia {
  readonly kind: MediaKind;
  readonly assetId: string;
  readonly alt: string;
}

export const problemCodes = [
  'text_missing',
  'placeholders_left',
  'text_too_long',
  'text_invalid',
  'links_too_many',
  'hashtags_too_many',
  'media_missing',
  'media_too_many',
  'media_mixed',
  'media_kind',
  'media_too_large',
  'alt_too_long',
  'setting_missing',
  'setting_invalid',
  'account_missing',
  'account_disconnected',
  'thread_without_x',
] as const;
export type ProblemCode = (typeof problemCodes)[number];

/** A reason why a post cannot be published on a channel. */
export interface PostProblem {
  readonly channelId: string;
  /** The field, such as `caption` or `media.0.alt`. */
  readonly path: string;
  readonly code: ProblemCode;
  readonly message: string;
}

/** The reason why a target was not published. */
export interface TargetError {
  readonly code: string;
  /** A sentence that a marketer understands. */
  readonly message: string;
}

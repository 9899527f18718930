// What is stored of a post's content, its problems and its errors.
import type { MediaKind } from './port/index.ts';

export const mediaKinds = ['image', 'video', 'gif'] as const satisfies readonly MediaKind[];

/** The outward content of a post. */
export interface PostContent {
  readonly channels: readonly string[];
  readonly caption: string;
  /** Without a model: the caption is the beginning of the brief, and is not meant to be published. */
  readonly captionIsBrief?: true;
  readonly channelCaptions: Readonly<Record<string, string>>;
  readonly threadTweets: readonly string[];
  readonly hashtags: readonly string[];
  readonly media: readonly PostMedia[];
  readonly linkUrl: string | null;
  readonly channelSettings: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Channel to accountRef, as the caller chose. */
  readonly targetAccountRefs: Readonly<Record<string, string>>;
}

/** An attachment of a post. */
export interface PostMedia {
  readonly kind: MediaKind;
  readonly assetId: string;
  readonly alt: string;
}

/** The codes of problems. */
export const problemCodes = [
  'text_missing',
  'no_model',
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

/** What keeps a post from going out on a channel. */
export interface PostProblem {
  readonly channelId: string;
  /** The field, such as `caption` or `media.0.alt`. */
  readonly path: string;
  readonly code: ProblemCode;
  readonly message: string;
}

/** Why a target was not published. */
export interface TargetError {
  readonly code: string;
  /** In words that a marketer understands. */
  readonly message: string;
}

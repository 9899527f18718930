// The rules of a channel as data: what a network accepts, where that is written, and when it was read there. Owned by the
// adapters; used by the check of posts, the tool schemas, the composer and the documentation.

/** Something that can be attached to a post. */
export type MediaKind = 'image' | 'video' | 'gif';

/**
 * How a network counts a text. `weighted`: X's rule (280 units, URLs 23). `graphemes`: user-perceived characters (Unicode
 * UAX #29). `code_points`, `utf16` (code units) and `bytes` (UTF-8). `emoji_bytes`: code points, an emoji as its UTF-8 bytes.
 */
export type TextUnit = 'weighted' | 'graphemes' | 'code_points' | 'utf16' | 'bytes' | 'emoji_bytes';

/** A limit of a text. */
export interface TextRule {
  readonly unit: TextUnit;
  readonly max: number;
  /** A second limit, in UTF-8 bytes. (Default: none) */
  readonly maxBytes?: number;
}

/** A text beside the caption, such as the title of a video: where it comes from, and its limit. */
export interface TitleRule extends TextRule {
  readonly required: boolean;
}

/** One allowed set of attachments: so many, of these kinds and no others. */
export interface MediaSet {
  readonly kinds: readonly MediaKind[];
  readonly min: number;
  readonly max: number;
}

/** What a file may be. Images beyond it are scaled and converted by the adapter; other files are refused. */
export interface FileRule {
  /** Media types that the network takes, such as `image/jpeg`. */
  readonly types: readonly string[];
  /** In bytes. */
  readonly maxBytes: number;
  /** In milliseconds. (Default: no limit) */
  readonly minMs?: number;
  readonly maxMs?: number;
}

/** What a channel takes beside a text. */
export interface MediaRules {
  /** A post without any is refused. */
  readonly required: boolean;
  /** The allowed sets; a post with attachments matches one of them. */
  readonly sets: readonly MediaSet[];
  readonly files: Readonly<Partial<Record<MediaKind, FileRule>>>;
  /** The longest description of an attachment for people who do not see it; null where the network has none. */
  readonly alt: TextRule | null;
}

/**
 * What becomes of `linkUrl`. `text`: appended to the text, and counted. `card`: a card of its own, not counted. `link`: the
 * link of the post itself.
 */
export type LinkRule = 'text' | 'card' | 'link';

/** What takes the place of a link's card, so that the link is appended to the text, and counted. */
export type LinkRival = 'media' | 'text';

/** What a value must look like. */
export interface FormRule {
  /** The source of a regular expression that the whole value matches. */
  readonly pattern: string;
  /** What to write, as a sentence. */
  readonly says: string;
}

/** A member of `channelSettings.<channelId>`. */
export interface SettingRule {
  readonly name: 'subreddit' | 'title' | 'boardId' | 'privacy';
  /** A post without it has the problem `setting_missing`. */
  readonly required: boolean;
  /** Whether its value must be one of the account's own options, as the last refresh found them. */
  readonly ofAccount: boolean;
  /** (Default: any) */
  readonly form?: FormRule;
}

/** Where a rule is written. */
export interface RuleSource {
  /** What was read there: `text`, `media`, `quota`. */
  readonly about: string;
  readonly url: string;
  /** When it was read there, as YYYY-MM-DD; null where the rule was written without reading it again. */
  readonly readOn: string | null;
}

/** A quota of a day, for the documentation. */
export interface QuotaRule {
  readonly action: 'publish' | 'delete';
  readonly max: number;
}

/** The rules of one channel. */
export interface ChannelRules {
  readonly channelId: string;
  /** As people know it: `X`. */
  readonly name: string;
  readonly text: TextRule;
  /** The limit of the text beside attachments of a kind, where it is another one. (Default: that of `text`) */
  readonly textWith?: Readonly<Partial<Record<MediaKind, TextRule>>>;
  /** Whether a post may have no text at all where it has media. */
  readonly textOptional: boolean;
  /** The title in `channelSettings`; null where a post has none. */
  readonly title: TitleRule | null;
  /** Hashtags in the whole text at most; null for no limit. */
  readonly maxHashtags: number | null;
  /** Accounts named with `@` in the whole text at most. (Default: no limit) */
  readonly maxMentions?: number;
  /** Different links of the whole post at most, that of a card among them. (Default: no limit) */
  readonly maxLinks?: number;
  /** Characters that no text and no title of a post may hold, such as `<>`. (Default: none) */
  readonly forbidden?: string;
  readonly media: MediaRules;
  readonly link: LinkRule;
  /** With what the link goes into the text all the same. (Default: nothing) */
  readonly linkYieldsTo?: readonly LinkRival[];
  readonly settings: readonly SettingRule[];
  /** Whether several posts can follow each other as one. */
  readonly threads: boolean;
  readonly quotas: readonly QuotaRule[];
  readonly sources: readonly RuleSource[];
}

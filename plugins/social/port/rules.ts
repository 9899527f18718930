// The rules of a channel as data: the content that a network accepts, the source of each rule, and when the source was read.
// Owned by the adapters; used by the check of posts, the tool schemas, the composer and the documentation.

/** The kind of an attachment. */
export type MediaKind = 'image' | 'video' | 'gif';

/**
 * The way in which a network counts a text. `weighted`: X's rule (280 units, URLs 23). `graphemes`: user-perceived characters (Unicode
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

/** A text in addition to the caption, such as the title of a video: whether it is required, and its limit. */
export interface TitleRule extends TextRule {
  readonly required: boolean;
}

/** One allowed set of attachments: their kinds and number. */
export interface MediaSet {
  readonly kinds: readonly MediaKind[];
  readonly min: number;
  readonly max: number;
}

/** The limits of a file. The adapter scales and converts images that exceed them; other files are refused. */
export interface FileRule {
  /** Media types that the network accepts, such as `image/jpeg`. */
  readonly types: readonly string[];
  /** In bytes. */
  readonly maxBytes: number;
  /** In milliseconds. (Default: no limit) */
  readonly minMs?: number;
  readonly maxMs?: number;
}

/** The attachments that a channel accepts. */
export interface MediaRules {
  /** Whether a post without attachments is refused. */
  readonly required: boolean;
  /** The allowed sets; a post with attachments matches one of them. */
  readonly sets: readonly MediaSet[];
  readonly files: Readonly<Partial<Record<MediaKind, FileRule>>>;
  /** The limit of alternative texts; null if the network has no alternative texts. */
  readonly alt: TextRule | null;
}

/**
 * The form in which `linkUrl` is shown. `text`: appended to the text, and counted. `card`: as a card of its own, not counted. `link`: as the
 * link of the post itself.
 */
export type LinkRule = 'text' | 'card' | 'link';

/** Content because of which a network shows no card of the link. If a post has such content, the link is appended to the text, and counted. */
export type CardBlocker = 'media' | 'text';

/** The form of a setting's value. */
export interface FormatRule {
  /** The source of a regular expression that the whole value matches. */
  readonly pattern: string;
  /** The expected form of the value, as a sentence. */
  readonly message: string;
}

/** A member of `channelSettings.<channelId>`. */
export interface SettingRule {
  readonly name: 'subreddit' | 'title' | 'boardId' | 'privacy';
  /** If true, a post without the setting has the problem `setting_missing`. */
  readonly required: boolean;
  /** Whether the value must be one of the account's options, as the last refresh found them. */
  readonly fromAccountOptions: boolean;
  /** (Default: any) */
  readonly format?: FormatRule;
}

/** The source of a rule. */
export interface RuleSource {
  /** The kind of rule that the source documents: `text`, `media`, `quota`. */
  readonly about: string;
  readonly url: string;
  /** The date on which the source was read, as YYYY-MM-DD; null if the rule was written without reading the source again. */
  readonly readOn: string | null;
}

/** A daily quota, for the documentation. */
export interface QuotaRule {
  readonly action: 'publish' | 'delete';
  readonly max: number;
}

/** The rules of one channel. */
export interface ChannelRules {
  readonly channelId: string;
  /** The display name, such as `X`. */
  readonly name: string;
  readonly text: TextRule;
  /** The limit of the text of a post with attachments of a kind, if it differs. (Default: the limit of `text`) */
  readonly textWith?: Readonly<Partial<Record<MediaKind, TextRule>>>;
  /** Whether a post with media may have no text. */
  readonly textOptional: boolean;
  /** The title in `channelSettings`; null if posts have no title. */
  readonly title: TitleRule | null;
  /** The maximum number of hashtags in the whole text; null for no limit. */
  readonly maxHashtags: number | null;
  /** The maximum number of accounts that the whole text mentions with `@`. (Default: no limit) */
  readonly maxMentions?: number;
  /** The maximum number of different links of the whole post, including the link of a card. (Default: no limit) */
  readonly maxLinks?: number;
  /** Characters that the texts and the title of a post must not contain, such as `<>`. (Default: none) */
  readonly forbidden?: string;
  readonly media: MediaRules;
  readonly link: LinkRule;
  /** If the post has one of these, the link is appended to the text, and `link` is ignored. (Default: nothing) */
  readonly linkInTextWith?: readonly CardBlocker[];
  readonly settings: readonly SettingRule[];
  /** Whether posts can be threads. */
  readonly hasThreads: boolean;
  readonly quotas: readonly QuotaRule[];
  readonly sources: readonly RuleSource[];
}

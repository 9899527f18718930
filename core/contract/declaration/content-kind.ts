// The types with which an operation asks whether its call must wait for the decision of people before it makes something
// public. Without a plugin that holds calls, no call ever waits.

/** A kind of content that can become public, such as `page`. */
export type ContentKindId = string;

/** A JSON object. */
export type ContentJson = Readonly<Record<string, unknown>>;

/** The content that would become public. */
export interface PublishableContent {
  /** The name of the content, used in sentences. */
  readonly name: string;
  /** Everything that the decision is about. Its canonical JSON is hashed. */
  readonly content: ContentJson;
  /** The content that is public now, in the same format; null if nothing is public. */
  readonly before: ContentJson | null;
}

/** Details of the transition that an operation is about to make. */
export interface DecisionQuestion {
  /** Returns the content that would become public. (Default: the content that the content kind reads from the target) */
  readonly content?: () => PublishableContent | Promise<PublishableContent>;
  /** The requested action, as a sentence. (Default: the operation's summary and the name of the content) */
  readonly summary?: string;
  /** When the content would become public, in milliseconds since the epoch. A request that is undecided at that time expires. */
  readonly publishesAt?: number;
  /** The price of the approved call, for the report of a dry run. (Default: 0) */
  readonly credits?: number;
}

/** The part of a held call's response about the request that waits for a decision. */
export interface PendingDecision {
  readonly requestId: string;
  readonly status: 'pending';
}

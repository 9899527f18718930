// What can be held until people have decided: what an operation asks before it makes something public, and what it learns.
// Without a plugin that holds calls nothing ever waits.

/** The kind of something that becomes public, such as `page`. */
export type SurfaceKind = string;

/** A JSON object. */
export type SurfaceJson = Readonly<Record<string, unknown>>;

/** What would become public. */
export interface SurfaceContent {
  /** What people call it, for a sentence. */
  readonly name: string;
  /** Everything that the decision is about. Its canonical JSON is hashed. */
  readonly content: SurfaceJson;
  /** The same of what is public now; null where nothing is. */
  readonly before: SurfaceJson | null;
}

/** What an operation says of the transition that it is about to make. */
export interface DecisionQuestion {
  /** What would become public. (Default: what the surface reads of the target) */
  readonly content?: () => SurfaceContent | Promise<SurfaceContent>;
  /** What is asked for, as a sentence. (Default: the operation's summary and the name of the content) */
  readonly summary?: string;
  /** When it would become public, in milliseconds: a request that was not decided until then has expired. */
  readonly publishesAt?: number;
  /** The price once it is decided, for the report of a dry run. (Default: 0) */
  readonly credits?: number;
}

/** What the answer of a held call says. */
export interface PendingDecision {
  readonly requestId: string;
  readonly status: 'pending';
}

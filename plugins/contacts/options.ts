// What a program may say of its contacts when it composes the plugin.

/** A person as the program knows them. */
export interface SourceContact {
  readonly external_id: string;
  /** What is left out stays as it was. */
  readonly email?: string;
  /** Merged with those there are; null removes one. */
  readonly attributes?: Readonly<Record<string, unknown>>;
}

/** Some of what changed. */
export interface SourceChanges {
  readonly contacts: readonly SourceContact[];
  /** Given back at the next call, once these are stored. */
  readonly cursor: string;
  /** Whether there is more right now. */
  readonly more: boolean;
}

/**
 * Where the program's own people are, whose ids are the external ids. Called outside any transaction, from jobs only: a call
 * that fails, or takes too long, is made again, and nobody who waits for an answer waits for it.
 */
export interface ContactSource {
  /** Those of these people that there are. */
  read(
    workspaceId: string,
    externalIds: readonly string[],
    options: { readonly signal: AbortSignal },
  ): Promise<readonly SourceContact[]>;
  /**
   * Who is new or changed since `cursor`, null at the first time: all of them become contacts. (Default: people become
   * contacts when an event or a call names them, and are read then)
   */
  changes?(
    workspaceId: string,
    cursor: string | null,
    options: { readonly signal: AbortSignal },
  ): Promise<SourceChanges>;
}

/** Options of `contactsPlugin`. */
export interface ContactsPluginOptions {
  /** The program's own people. (Default: none; contacts are what callers say) */
  readonly source?: ContactSource;
  /** How long a call of the source may take, in milliseconds. (Default: 10,000) */
  readonly sourceTimeoutMs?: number;
  /** How often `source.changes` is asked, in milliseconds. (Default: 300,000) */
  readonly pullEveryMs?: number;
}

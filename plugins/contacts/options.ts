// The options of the contacts plugin.

/** A person as the program knows them. */
export interface SourceContact {
  readonly external_id: string;
  /** Omitted fields keep their values. */
  readonly email?: string;
  /** Merged with the existing attributes. Null removes an attribute. */
  readonly attributes?: Readonly<Record<string, unknown>>;
}

/** A page of changes. */
export interface SourceChanges {
  readonly contacts: readonly SourceContact[];
  /** Passed to the next call after these contacts are stored. */
  readonly cursor: string;
  /** Whether another page is available now. */
  readonly more: boolean;
}

/**
 * The program's own store of people. Their ids are the external ids. Only jobs call it, outside any transaction, so no
 * request waits for it. A call that fails or exceeds its time limit is repeated.
 */
export interface ContactSource {
  /** The people among these ids who exist. */
  read(
    workspaceId: string,
    externalIds: readonly string[],
    options: { readonly signal: AbortSignal },
  ): Promise<readonly SourceContact[]>;
  /**
   * The people who are new or changed since `cursor`, which is null for the first call. All of them become contacts. (Default: a person becomes a
   * contact when an event or a call names them. The source is asked for that person then)
   */
  changes?(
    workspaceId: string,
    cursor: string | null,
    options: { readonly signal: AbortSignal },
  ): Promise<SourceChanges>;
}

/** Options of `contactsPlugin`. */
export interface ContactsPluginOptions {
  /** The program's own store of people. (Default: none; contacts only come from calls) */
  readonly source?: ContactSource;
  /** The time limit of a call of the source, in milliseconds. (Default: 10,000) */
  readonly sourceTimeoutMs?: number;
  /** The interval between calls of `source.changes`, in milliseconds. (Default: 300,000) */
  readonly pullEveryMs?: number;
}

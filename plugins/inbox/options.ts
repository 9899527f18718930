// What the embedding program may say of the inbox. Data only; read by plugin.ts and access.ts.

/** A request as `authorize` sees it. */
export interface InboxRequest {
  readonly method: string;
  /** Path and query below the place where the service is mounted. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly cookies: Readonly<Record<string, string>>;
  /** The client's address, as the host's framework is told to trust it. */
  readonly address: string | undefined;
}

/** What somebody may see. */
export interface InboxAccess {
  /** Every workspace, or these. */
  readonly workspaces: 'all' | readonly string[];
}

/** Options of `inboxPlugin`. */
export interface InboxOptions {
  /**
   * The program's own sign-in: which workspaces the caller may see, or undefined for nobody. It is asked at every
   * request, in production too. (Default: everything in development, from this machine only; nothing in production)
   */
  readonly authorize?: (request: InboxRequest) => InboxAccess | undefined | PromiseLike<InboxAccess | undefined>;
  /**
   * Whether private networks count as this machine where there is no `authorize`: a container sees its host as one, and
   * so does everybody else on them. (Default: false)
   */
  readonly privateNetworks?: boolean;
}

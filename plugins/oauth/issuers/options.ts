import type { Leash } from '../../../core/index.ts';

/** The access that a token gives. */
export interface IssuedAccess {
  /** The member's uid, as `members` lists it. */
  readonly member: string;
  readonly workspaceId: string;
  /** Whether the agent works in the sandbox. (Default: false) */
  readonly sandbox?: boolean;
  readonly scopes: readonly string[];
  /** The limits of the agent. (Default: no limit) */
  readonly leash?: Leash;
  /**
   * The name of the client. It appears in lists, and accesses of clients with this name share the limits of the member. (Default:
   * without a name, all clients of the member whose id is not the URL of a metadata document share the limits)
   */
  readonly clientName?: string;
}

/** The claims of a verified token. */
export type TokenClaims = Readonly<Record<string, unknown>>;

/** A JSON Web Key Set (RFC 7517). */
export interface PublishedKeys {
  readonly keys: readonly Readonly<Record<string, unknown>>[];
}

/** An authorisation server of the program, whose tokens are accepted: JWTs in the profile of RFC 9068. */
export interface TrustedIssuer {
  /** The exact value of the claim `iss`. */
  readonly issuer: string;
  /** The claim `aud` of tokens for the tool endpoint: usually its URL. */
  readonly audience: string;
  /** The URL of the issuer's keys, or the keys. (Default: the `jwks_uri` of the issuer's metadata) */
  readonly jwks?: string | PublishedKeys;
  /** Returns the access that a verified token gives; undefined to refuse it. Called at every call, so it should be fast. */
  readonly access: (claims: TokenClaims) => IssuedAccess | undefined | PromiseLike<IssuedAccess | undefined>;
}

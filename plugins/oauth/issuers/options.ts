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
   * The name of the client, as lists show it. All clients of a member with this name share the limits of the member.
   * (Default: all clients of the member share the limits if they have no name and their id is not the URL of a metadata
   * document)
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
  /** The claim `aud` of tokens for the MCP endpoint: usually its URL. */
  readonly audience: string;
  /** The URL of the issuer's keys, or the keys. (Default: the `jwks_uri` of the issuer's metadata) */
  readonly jwks?: string | PublishedKeys;
  /** Returns the access that a verified token gives; undefined to refuse the token. Called for each request, so it should be fast. */
  readonly access: (claims: TokenClaims) => IssuedAccess | undefined | PromiseLike<IssuedAccess | undefined>;
}

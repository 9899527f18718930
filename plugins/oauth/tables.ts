// The rows of the authorisation server. Codes and tokens are stored as hashes. Registered clients belong to no workspace; a grant,
// its codes and its tokens belong to the workspace that the member chose.
import {
  column,
  defineTable,
  type Leash,
  type RowOf,
  type StoredRow,
  type TableDeclaration,
  type TenantRows,
  tenantRows,
} from '../../core/index.ts';
import type { ConsentApproval } from './authorize/consent-request.ts';

/** A client that registered itself (RFC 7591). */
export interface ClientRow {
  client_id: string;
  name: string;
  /** JSON. */
  redirect_uris: string;
  /** 1 after a member has granted the client access. */
  used: number;
  created_at: number;
  /** The time at which the client was registered, or last got tokens. */
  last_used_at: number;
}

/** The parts of the request that are stored with a code. */
export interface CodeRequest {
  readonly clientId: string;
  readonly clientName: string;
  readonly clientHost: string | null;
  readonly redirectUri: string;
  readonly resource: string;
  readonly codeChallenge: string;
}

/** The authorisation codes, each valid for one exchange within a minute. */
export const oauthCodes = defineTable(
  'oauth_codes',
  {
    code_hash: column.key(),
    request: column.json<CodeRequest>(),
    approval: column.json<ConsentApproval>(),
    created_at: column.time(),
    expires_at: column.time(),
    /** The time at which the code was exchanged, and the resulting grant. */
    redeemed_at: column.time().nullable(),
    grant_id: column.id('grt').nullable(),
  },
  { key: 'code_hash' },
);

/**
 * Grants of members to clients. Scopes, side, leash, name and last use are stored in the grant's key. If the key is revoked, the
 * grant has ended.
 */
export const oauthGrants = defineTable(
  'oauth_grants',
  {
    id: column.id('grt'),
    key_id: column.id('key'),
    client_id: column.text(),
    member: column.key(),
    /** The member's address when the grant was made. An erasure finds the grant by it. */
    member_address: column.address().nullable(),
    /** The URL of the MCP endpoint that the tokens are for. */
    resource: column.text(),
    /** The hash of issuer, client, member and side, if the program's own authorisation server made the grant. */
    source: column.key().nullable(),
    /** The leash of its latest token. If the key has a different leash, the program has set that leash. */
    issued_leash: column.json<Leash>().nullable(),
    /** Set when the grant ends, and by a schedule after it has expired, so that lists skip few ended grants. */
    ended: column.flag(),
    created_at: column.time(),
    /** The time at which the grant ends unless its client uses it before. */
    expires_at: column.time(),
  },
  { personal: { columns: { member_address: 'address' }, rows: 'plugin' } },
);

/** Access and refresh tokens. */
export const oauthTokens = defineTable(
  'oauth_tokens',
  {
    token_hash: column.key(),
    grant_id: column.id('grt'),
    kind: column.word<'access' | 'refresh'>(),
    created_at: column.time(),
    expires_at: column.time(),
    /** The time at which the refresh token was exchanged for its successor. */
    used_at: column.time().nullable(),
    /** The scopes of an access token, if its client asked for fewer than the grant has. (Default: the scopes of the grant) */
    scopes: column.json<readonly string[]>().nullable(),
  },
  { key: 'token_hash' },
);

export interface CodeRow extends RowOf<typeof oauthCodes> {}
export interface GrantRow extends RowOf<typeof oauthGrants> {}
export interface TokenRow extends RowOf<typeof oauthTokens> {}

export const codeRows: TenantRows<CodeRow> = tenantRows(oauthCodes);
export const grantRows: TenantRows<GrantRow> = tenantRows(oauthGrants);
export const tokenRows: TenantRows<TokenRow> = tenantRows(oauthTokens);

declare module '../../core/contract/open.ts' {
  interface Tables {
    oauth_clients: ClientRow;
    oauth_codes: StoredRow<typeof oauthCodes>;
    oauth_grants: StoredRow<typeof oauthGrants>;
    oauth_tokens: StoredRow<typeof oauthTokens>;
  }
}

export const tables: Readonly<Record<string, TableDeclaration>> = {
  oauth_clients: {
    tenant: false,
    columns: {
      client_id: 'id',
      name: 'text',
      redirect_uris: 'json',
      used: 'flag',
      created_at: 'time',
      last_used_at: 'time',
    },
  },
  oauth_codes: oauthCodes,
  oauth_grants: oauthGrants,
  oauth_tokens: oauthTokens,
};

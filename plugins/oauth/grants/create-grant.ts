// Makes a grant with its key. The key's secret is discarded, so only tokens give access to it. Called when a code is exchanged, and at
// the first call with a token that the program's own authorisation server issued.
import { createHash } from 'node:crypto';
import type { Leash, TransactionContext } from '../../../core/index.ts';
import { type GrantRow, grantRows } from '../tables.ts';

/**
 * A client as a grant stores it. `name` is null if only the id is known; `host` is null if the id is not the URL of a
 * document.
 */
export interface GrantedClient {
  readonly id: string;
  readonly name: string | null;
  readonly host: string | null;
}

/** The access that a member grants to a client. */
export interface NewGrant {
  readonly client: GrantedClient;
  readonly member: string;
  readonly memberAddress: string | null;
  readonly sandbox: boolean;
  readonly scopes: readonly string[];
  readonly leash: Leash | undefined;
  readonly resource: string;
  /** The hash of issuer, client, member and side, if the program's own authorisation server made the grant. */
  readonly source: string | null;
  readonly expiresAt: number;
}

/**
 * The id of the leash's counter. All grants of one member to one client share it, so that several consents do not
 * multiply the leash. Ids do not identify a client: a client that registers itself gets a new id each time, and a host
 * can serve any number of documents. So the host identifies it or, without a host, the name. If neither is known, all
 * such clients of the member share one counter.
 */
function counterOf({ client: { name, host }, member }: NewGrant): string {
  const identity = host === null ? { name: name?.trim().toLowerCase() ?? null } : { host };
  const hash = createHash('sha256').update(JSON.stringify([member, identity]));
  return `lsh_${hash.digest('hex').slice(0, 32)}`;
}

/** Inserts the grant and its key, and writes the audit entry. */
export async function createGrant(ctx: TransactionContext, newGrant: NewGrant): Promise<GrantRow> {
  const { trx, now, ports } = ctx;
  const { client, member, sandbox, leash } = newGrant;
  const name = client.name ?? client.id.slice(0, 100);
  const id = ctx.newId('grt');
  const keyId = ctx.newId('key');
  const unusableHash = createHash('sha256').update(ports.randomness.bytes(32)).digest('hex');
  await trx.db
    .insertInto('api_keys')
    .values({
      id: keyId,
      workspace_id: ctx.workspace.id,
      name,
      mode: 'mcp',
      sandbox: sandbox ? 1 : 0,
      prefix: `${ports.service.slug}_access_`,
      secret_hash: unusableHash,
      scopes: JSON.stringify(newGrant.scopes),
      preset: null,
      members: JSON.stringify([member]),
      leash: leash === undefined ? null : JSON.stringify(leash),
      leash_counter: counterOf(newGrant),
      grant_id: id,
      client: JSON.stringify({ id: client.id, name, host: client.host }),
      created_by: member,
      created_at: now,
      last_used_at: null,
      expires_at: newGrant.expiresAt,
      revoked_at: null,
    })
    .execute();
  ctx.audit('oauth.grant.create', { kind: 'grant', id }, { client: client.host ?? client.id });
  return grantRows.insert(trx, {
    id,
    key_id: keyId,
    client_id: client.id,
    member,
    member_address: newGrant.memberAddress,
    resource: newGrant.resource,
    source: newGrant.source,
    issued_leash: newGrant.source === null ? null : (leash ?? null),
    ended: false,
    created_at: now,
    expires_at: newGrant.expiresAt,
  });
}

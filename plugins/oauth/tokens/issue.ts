// Issues an access token with a refresh token for a grant. The texts are returned once; the database has their hashes.
import type { TransactionContext } from '../../../core/index.ts';
import { tokenRows } from '../tables.ts';
import { createSecret, hashOf } from './secrets.ts';

/** The lifetimes of an access token, and of a refresh token that is not used, in milliseconds. */
export const [accessMs, refreshMs] = [900_000, 30 * 86_400_000];

/** The answer of the token endpoint (RFC 6749, section 5.1). */
export interface TokenPair {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly scope: string;
}

/**
 * Issues the next pair of tokens of a grant. `narrowed`: the scopes of the access token, if its client asked for fewer than the grant has.
 */
export async function issueTokens(
  ctx: TransactionContext,
  input: {
    readonly grantId: string;
    readonly scopes: readonly string[];
    readonly narrowed?: readonly string[] | undefined;
  },
): Promise<TokenPair> {
  const { trx, now } = ctx;
  const { grantId, scopes, narrowed } = input;
  const access = createSecret(ctx, 'access');
  const refresh = createSecret(ctx, 'refresh');
  const sharedColumns = { grant_id: grantId, created_at: now, used_at: null };
  await tokenRows.insert(trx, {
    ...sharedColumns,
    token_hash: hashOf(access),
    kind: 'access',
    expires_at: now + accessMs,
    scopes: narrowed ?? null,
  });
  await tokenRows.insert(trx, {
    ...sharedColumns,
    token_hash: hashOf(refresh),
    kind: 'refresh',
    expires_at: now + refreshMs,
    scopes: null,
  });
  return {
    access_token: access,
    token_type: 'Bearer',
    expires_in: accessMs / 1_000,
    refresh_token: refresh,
    scope: (narrowed ?? scopes).join(' '),
  };
}

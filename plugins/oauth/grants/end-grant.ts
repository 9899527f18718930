// Ends a grant: its key is revoked, so that every token of the grant is refused at the next call. The audit entry
// contains the reason.
import type { TransactionContext } from '../../../core/index.ts';
import { closeGrant } from './store.ts';

/** The reason why a grant ends, unless an operation of the API ends it. */
export type GrantEnd =
  /** A refresh token was used twice, so a stranger may have it. */
  | 'refresh_token_reused'
  /** A code was exchanged twice. */
  | 'code_reused'
  /** The member is no longer in the workspace's list of members. */
  | 'member_left'
  /** The client revoked its token. */
  | 'client'
  /** The member ended it on the page of connected apps. */
  | 'member'
  /** The member's data was erased. */
  | 'erased';

/** Revokes the key of a grant and writes the audit entry. Returns false if the grant had ended before. */
export async function endGrant(
  ctx: TransactionContext,
  grant: { readonly id: string; readonly key_id: string },
  reason: GrantEnd,
): Promise<boolean> {
  if (!(await closeGrant(ctx.trx, grant, ctx.now))) return false;
  ctx.audit('oauth.grant.revoke', { kind: 'grant', id: grant.id }, { reason });
  return true;
}
